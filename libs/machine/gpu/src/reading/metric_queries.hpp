#pragma once

#include <optional>
#include <span>
#include <vector>

#include "batchscope/telemetry/sample.hpp"
#include "driver/library.hpp"
#include "driver/status.hpp"

namespace batchscope::gpu {

// How a reading of a GPU goes: whether anything was answered, and what failed.
class Progress {
 public:
  // Returns what follows from the status of a call.
  nvml::Outcome note(nvml::Status status);
  void stop(nvml::Status status);

  // Nothing more can be had: `failure()` says why.
  bool stopped() const { return stopped_; }
  bool driver_absent() const;
  // Stopped, or nothing was answered though something should have been.
  bool is_down() const { return stopped_ || (!answered_ && failure_ != nvml::kSuccess); }
  nvml::Status failure() const { return failure_; }

 private:
  bool answered_ = false;
  bool stopped_ = false;
  nvml::Status failure_ = nvml::kSuccess;
};

// Asks the driver one thing, and writes the answer where it makes sense. A value that is none, such
// as all bits set, is left out.
using MetricQuery = nvml::Status (*)(const nvml::Library&, nvml::Device, telemetry::GpuReading&);

// Asks a table of questions, and none of those again that were refused.
class MetricQueries {
 public:
  enum class Repeat { always, until_answered };
  MetricQueries(std::span<const MetricQuery> questions, Repeat repeat);

  void ask(const nvml::Library& library, nvml::Device device, telemetry::GpuReading& reading,
           Progress& progress);

 private:
  std::span<const MetricQuery> questions_;
  Repeat repeat_;
  std::vector<bool> done_;
};

// A clock of that kind.
nvml::Status ask_hertz(nvml::DeviceKindNumberCall function, nvml::Device device, unsigned kind,
                       std::optional<double>& into);
// A question: its memory.
nvml::Status ask_memory(const nvml::Library& library, nvml::Device device,
                        telemetry::GpuReading& reading);

// Its name and its UUID.
std::span<const MetricQuery> identity_questions();
// What else does not change while the GPU is there.
std::span<const MetricQuery> lasting_questions();
// What a slice of a GPU has too, and a GPU that is divided has not.
std::span<const MetricQuery> own_questions();
// What there is once for a GPU, divided or not.
std::span<const MetricQuery> shared_questions();
// PCIe's throughput, which takes 40 ms: where GPM does not tell it.
std::span<const MetricQuery> slow_questions();

}  // namespace batchscope::gpu
