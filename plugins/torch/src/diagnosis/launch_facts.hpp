#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace batchscope::torch_plugin {

// What the tracer knows of one kernel launch or copy.
struct LaunchFacts {
  std::optional<int64_t> grid_blocks;
  std::optional<int64_t> threads_per_block;
  std::optional<int64_t> blocks_per_sm;    // how many fit at once
  std::optional<double> occupancy;         // 0 to 1
  std::optional<int64_t> multiprocessors;  // of the device it ran on
  std::optional<int64_t> bytes;            // of a copy
};

// From Kineto's metadata of a device event: the members of a JSON object, without its braces. What
// is missing or makes no sense stays absent.
LaunchFacts read_launch_facts(std::string_view members);

}  // namespace batchscope::torch_plugin
