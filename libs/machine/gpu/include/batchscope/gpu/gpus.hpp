#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace batchscope::gpu {

// One reading of a GPU. A value that the GPU does not support is absent, never 0.
struct Gpu {
  int index = 0;                    // NVML's order, by PCI bus
  std::optional<std::string> name;  // "NVIDIA H200"; absent: it does not answer
  std::optional<std::string> uuid;  // "GPU-..."
  // Divided into slices with memory and processors of their own (MIG): what there is to tell of the
  // whole, memory and processes, says nothing of one of them, and is absent.
  bool divided = false;
  std::optional<int> compute_capability;  // its major number: 8 of "8.6"
  std::optional<int64_t> memory_total_bytes;
  // Without what the driver keeps for itself, where the driver tells that apart.
  std::optional<int64_t> memory_used_bytes;
  std::optional<double> sm_clock_hertz;
  std::optional<double> usual_sm_clock_hertz;  // the default application clock, or the highest
  std::vector<std::string> slowdowns;  // what holds the clock down against one's will: "power cap"
  std::optional<int64_t> compute_processes;  // on the GPU, this one included
};

// What is known about the NVIDIA GPUs. Calls may take milliseconds: never inside timed work.
class Gpus {
 public:
  virtual ~Gpus() = default;
  virtual bool available() const = 0;
  // Why there is nothing to see, and how to get it; empty when available.
  virtual std::string why_absent() const = 0;
  virtual std::string how_to_get() const = 0;
  virtual std::optional<std::string> driver_version() const = 0;
  virtual int count() const = 0;
  // `index` in 0 .. count()-1; out of range gives empty values.
  virtual Gpu read(int index) const = 0;
};

// NVML (libnvidia-ml), loaded at run time; GPUs of which none can be seen, and why, when the
// library or the driver is absent. `library` is a name for dlopen or a path. A GPU that does not
// answer before the deadline has empty values from then on, and is not asked again.
std::unique_ptr<Gpus> open_gpus(const std::string& library = "libnvidia-ml.so.1",
                                std::chrono::nanoseconds deadline = std::chrono::seconds(5));
std::unique_ptr<Gpus> absent_gpus(std::string why, std::string how_to_get);

// The GPU that a process calls "cuda:N", as NVML counts, which sees all of them: `visible` is what
// CUDA_VISIBLE_DEVICES holds, null where it is not set. Where nothing hides one they are taken to
// count alike. Nothing for other devices, for one that is hidden, and for a slice (MIG).
std::optional<int> gpu_index(const Gpus& gpus, std::string_view device,
                             const char* visible = std::getenv("CUDA_VISIBLE_DEVICES"));

// All of them, each read once.
std::vector<Gpu> read_all(const Gpus& gpus);
// Their names, for a run file's header.
std::vector<std::string> gpu_names(const std::vector<Gpu>& gpus);

}  // namespace batchscope::gpu
