#pragma once

#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::csv {

struct ImportOptions {
  std::string model{};  // what the numbers are of; default: a `model` column, else the table's name
  // Of rows whose table has no such column; empty, 0: not stated (schema/not_stated.hpp).
  std::string precision{};
  std::string device{};
  int threads = 0;
  // Of times that state none: ns, us, ms or s. Empty: ms for lines "1: 50.30", with a note, and a
  // column without a unit is not read.
  std::string unit{};
};

// A table measured elsewhere as a run file of origin "import". Commas, tabs or semicolons separate,
// as the header line tells; beside tabs and semicolons numbers may have decimal commas. The first
// line that has a `batch` or `batch_size` column is the header (what stands above it is passed
// over). Columns, in any order and case, "latency(us)" = "latency_us":
//   batch | batch_size                  required, a positive integer
//   latency_X | time_X                  X = ns, us, ms, s: time of one batch; or throughput_per_s
//                                       (samples a second)
//   std_X, repeats                      the spread of single repeats and their number, of which
//                                       intervals are made; never tested with. Also std_latency_X,
//                                       std or stddev (in the time's unit), std_per_s
//   memory_bytes | memory(B)            peak device memory
//   seq_len, model, precision, device, threads, instances, mode, engine   axes
// Without such a header, lines "1: 50.30" or "batch 1: 50.30 ms", each in its own unit.
// Rows that repeat a configuration are its repeats, in the order of the table. Rows that cannot be
// used become warning events with their line number. Errors: input (no header, no usable row,
// numbers with commas that can be read in two ways, lines of which only some state a unit), usage
// (an unknown precision or unit).
base::Result<schema::RunFile> import_csv(std::string_view text, std::string_view name,
                                         const ImportOptions& options);

}  // namespace batchscope::csv
