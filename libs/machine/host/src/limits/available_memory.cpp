#include "batchscope/host/available_memory.hpp"

#include <fmt/format.h>

#include <utility>

#include "batchscope/host/cgroup.hpp"
#include "batchscope/host/machine.hpp"
#include "batchscope/schema/device_name.hpp"

namespace batchscope::host {
namespace {

constexpr int64_t kStep = int64_t{256} << 20;
// Up to a tenth is what driver and contexts take, so that an idle GPU has the same room from run to
// run; more is another process's, and what dies beside that may live without it.
constexpr int64_t kDriversShare = 10;

// The rest is for the system and for the search itself.
int64_t nine_tenths(int64_t bytes) {
  const int64_t most = bytes / 10 * 9;
  return most > kStep ? most / kStep * kStep : most;
}

AvailableMemory room_of_host(const base::SystemRoot& root) {
  AvailableMemory room;
  const auto info = read_memory_info(root);
  if (const auto available = info.available_bytes ? info.available_bytes : info.total_bytes) {
    room = {nine_tenths(*available), "90 % of the memory available", true};
  }
  const auto limit = read_memory_limit(root, find_cgroups(root));
  if (limit && (room.bytes == 0 || nine_tenths(limit->bytes) < room.bytes)) {
    room = {nine_tenths(limit->bytes),
            fmt::format("90 % of the limit of the cgroup {}", limit->group.string()), true};
  }
  return room;
}

AvailableMemory unknown_room(const std::string& device, const std::string& why) {
  std::string of = fmt::format("the memory of {}, which is unknown", device);
  if (!why.empty()) of += ": " + why;
  return {0, std::move(of), false};
}

AvailableMemory room_of_gpu(const gpu::Gpus& gpus, const std::string& device) {
  if (!gpus.available()) return unknown_room(device, gpus.why_absent());
  const auto index = gpu::gpu_index(gpus, device);
  if (!index) return unknown_room(device, "CUDA_VISIBLE_DEVICES hides which GPU it is");
  const gpu::Gpu gpu = gpus.read(*index);
  if (gpu.divided) {
    return unknown_room(device, fmt::format("GPU {} is divided into slices (MIG)", *index));
  }
  const int64_t all = gpu.memory_total_bytes.value_or(0);
  if (all <= 0)
    return unknown_room(device, fmt::format("NVML does not report it for GPU {}", *index));
  const int64_t used = gpu.memory_used_bytes.value_or(0);
  if (used <= all / kDriversShare) return {all, fmt::format("the memory of {}", device), false};
  return {all - used, fmt::format("the free memory of {}", device), false};
}

}  // namespace

AvailableMemory memory_room(const base::SystemRoot& root, const gpu::Gpus& gpus,
                            const std::string& device) {
  if (schema::is_cpu(device)) return room_of_host(root);
  if (schema::is_cuda(device)) return room_of_gpu(gpus, device);
  return unknown_room(device, "NVML knows only NVIDIA GPUs");
}

}  // namespace batchscope::host
