#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace batchscope::findings {

// Self time of one operation in an iteration under the tracer (or the kernel library's log).
struct OperationCost {
  double calls = 0;  // an iteration
  double ms = 0;     // an iteration, all calls
};

// One operator, kernel, copy or primitive at all batch sizes that were diagnosed.
struct OperationRow {
  std::string name;
  std::string
      kind;  // operator, kernel, memcpy, memset, runtime; of primitives: matmul, reorder, ...
  std::vector<std::optional<OperationCost>> at;  // as Diagnostics::sizes; absent: did not occur
  // Its per-sample time at the size where that is the largest, beyond the size where it is the
  // smallest, as a share of the per-sample time of all operations at the smallest of these: how
  // much it has to do with the differences between the sizes.
  double change = 0;
};

// What diagnostic visits saw at one batch size; an iteration's numbers. Absent: not measured.
struct SizeDiagnosis {
  int64_t batch_size = 0;
  double time_ms = 0;    // undisturbed, mean of this visit
  double traced_ms = 0;  // under the tracer; 0: not traced
  std::optional<double> minor_faults, major_faults;
  std::optional<double> user_ms, system_ms;
  std::optional<double> voluntary_switches, involuntary_switches;
  std::map<std::string, double> counters;   // cycles, instructions, ...
  int busy_threads = 0;                     // that used at least a tenth of what the busiest did
  std::optional<double> imbalance;          // busiest / mean of these
  std::optional<double> anonymous_bytes;    // not of an iteration: of the process
  std::optional<double> huge_page_share;    // of these
  std::optional<double> device_busy_share;  // of the traced time
  std::optional<double> created_primitives;
};

// The diagnostic visits of one scaling table. They are not part of any time in the table.
struct Diagnostics {
  std::string tracer;                         // kineto
  std::vector<SizeDiagnosis> sizes;           // by batch size
  std::vector<OperationRow> operations;       // the largest change first; at most 60
  std::vector<OperationRow> primitives;       // the same
  std::map<std::string, std::string> absent;  // what could not be measured, and why
};

}  // namespace batchscope::findings
