#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace batchscope::trace {

// What a lane of a Chrome trace shows, where its recorder says so by the names of its process and
// its thread instead of by categories of events.
enum class LaneContent : uint8_t {
  host,        // threads of a process
  calls,       // calls of a runtime, on the host
  stream,      // what one stream of a device runs
  operations,  // the same by the program's operations: the work itself where no stream is shown
  again,       // likewise, but streams may show some of it: by the same names
  ranges,      // spans around work that other lanes show
  steps,       // one event a step
};

struct Lane {
  LaneContent content = LaneContent::host;
  std::string_view recorder;  // "XLA (JAX, TensorFlow)"
  int64_t device = -1;        // its number, where the process's name has one
  int64_t stream = -1;        // likewise, of the thread's name
};

// Nothing of names that say nothing, as those of most recorders do.
std::optional<Lane> lane_of(std::string_view process, std::string_view thread);

// What an event on a stream is, by its name.
enum class StreamEvent : uint8_t { kernel, copy, fill, wait };
StreamEvent stream_event(std::string_view name);

// Whether it is called as functions of runtimes and drivers are: "cudaLaunchKernel",
// "hipModuleLaunchKernel", "zeCommandListAppendBarrier".
bool names_a_call(std::string_view name);

// Events and categories that only one recorder names so, for whoever knows the names of a trace.
struct TellingName {
  std::string_view name;
  std::string_view recorder;
};
std::span<const TellingName> telling_names();

}  // namespace batchscope::trace
