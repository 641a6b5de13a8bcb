#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "batchscope/schema/diagnosis.hpp"
#include "batchscope/trace/trace.hpp"

namespace batchscope::attribution {

// What a run file keeps of a trace.
struct TracedWork {
  std::vector<schema::Operation> operations;  // the longest self time first
  std::optional<int64_t> device_busy_ns;      // absent when nothing ran on a device
  std::optional<int64_t> multiprocessors;     // of the device
};

// The totals of the trace by kind and name; ranges count as operators. Beyond the `most` names with
// the longest self time, the rest of each kind is summed under "other". Python functions, the
// recorder's ranges of iterations, and what it and the system did, are left out.
TracedWork traced_work(const trace::Trace& trace, size_t most = 200);

}  // namespace batchscope::attribution
