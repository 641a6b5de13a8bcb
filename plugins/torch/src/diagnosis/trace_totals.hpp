#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/schema/diagnosis.hpp"
#include "launch_facts.hpp"

namespace batchscope::torch_plugin {

// One event of a trace.
struct TraceEvent {
  enum class Kind { host_operator, runtime, kernel, memcpy, memset };

  std::string name;
  Kind kind = Kind::host_operator;
  int64_t thread = 0;  // of operators and runtime calls: those of one thread nest
  int64_t start_ns = 0;
  int64_t end_ns = 0;  // at or after the start
  LaunchFacts facts;
};

struct TraceTotals {
  std::vector<schema::Operation> operations;  // the longest self time first
  std::optional<int64_t> device_busy_ns;      // absent when nothing ran on the device
  std::optional<int64_t> multiprocessors;
};

// Sums events by kind and name. Every moment of a thread is the self time of its innermost open
// event; the total of a name counts a moment once a thread, also where the name calls itself.
// What a device does does not nest: its self time is its duration. Beyond the `most` names with the
// longest self time, the rest of each kind is summed under "other".
TraceTotals sum_trace(const std::vector<TraceEvent>& events, size_t most = 200);

}  // namespace batchscope::torch_plugin
