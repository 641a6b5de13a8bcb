#include "occupancy.hpp"

#include <algorithm>

namespace batchscope::trace {
namespace {

constexpr int64_t kThreadsOfAWarp = 32;

constexpr int64_t rounded_up(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Registers are given to warps, in each of the four parts of a multiprocessor.
int64_t warps_by_registers(const Device& device, int64_t registers_per_thread) {
  constexpr int64_t kGranularity = 256;
  constexpr int64_t kParts = 4;
  const int64_t of_a_warp = rounded_up(registers_per_thread * kThreadsOfAWarp, kGranularity);
  return device.registers / kParts / of_a_warp * kParts;
}

int64_t blocks_by_shared_memory(const Device& device, int64_t bytes) {
  const bool is_ampere_or_later = device.info.compute_major >= 8;
  const int64_t reserved = is_ampere_or_later ? 1024 : 0;  // for the system, of every block
  const int64_t of_a_block = rounded_up(bytes + reserved, is_ampere_or_later ? 128 : 256);
  return of_a_block == 0 ? device.blocks : device.shared_bytes / of_a_block;
}

}  // namespace

void estimate_occupancy(const Device& device, int64_t shared_bytes, LaunchFacts& launch) {
  launch.multiprocessors = device.info.multiprocessors;
  const bool is_known = device.warps > 0 && device.blocks > 0 && device.registers > 0 &&
                        device.shared_bytes > 0 && device.info.compute_major >= 7;
  const bool is_complete = launch.threads_per_block > 0 && launch.registers_per_thread > 0 &&
                           shared_bytes >= 0 && shared_bytes <= device.shared_bytes;
  if (!is_known || !is_complete) return;
  const int64_t warps = rounded_up(launch.threads_per_block, kThreadsOfAWarp) / kThreadsOfAWarp;
  const int64_t blocks = std::min({device.blocks, device.warps / warps,
                                   warps_by_registers(device, launch.registers_per_thread) / warps,
                                   blocks_by_shared_memory(device, shared_bytes)});
  if (blocks <= 0) return;  // it ran, so something else is wrong
  launch.blocks_per_multiprocessor = static_cast<int32_t>(blocks);
  if (launch.grid_blocks <= 0 || launch.multiprocessors <= 0) return;
  const double share =
      static_cast<double>(launch.grid_blocks) / static_cast<double>(launch.multiprocessors);
  const double threads = std::min(static_cast<double>(blocks), share) * launch.threads_per_block;
  const double most = static_cast<double>(device.warps * kThreadsOfAWarp);
  launch.occupancy = static_cast<float>(std::min(1.0, threads / most));
}

}  // namespace batchscope::trace
