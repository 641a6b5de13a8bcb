#pragma once

#include <string>
#include <string_view>
#include <vector>

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
  std::vector<std::string> ignore{};  // columns, as the header line has them, that set nothing
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
//   memory_X | peak_memory_X            X = bytes, B, MB, MiB, GB, GiB, ...: peak device memory;
//   also
//                                       mem, vram with gpu, max, used, ..., and torch's
//                                       max_memory_allocated, which is in bytes
//   seq_len, model, precision, device, threads, instances, mode, engine   axes
// Without such a header, lines "1: 50.30" or "batch 1: 50.30 ms", each in its own unit.
// Rows that repeat a configuration are its repeats, in the order of the table. Another column in
// which they differ is a parameter where it holds words or numbers that come again and again, and
// not read where its name is that of a measurement. Rows that cannot be
// used become warning events with their line number. Errors: input (no header, no usable row,
// numbers with commas that can be read in two ways, lines of which only some state a unit, memory
// without a known unit, a column in which repeats differ that may be set or measured), usage (an
// unknown precision or unit, a column to ignore that is not there).
base::Result<schema::RunFile> import_csv(std::string_view text, std::string_view name,
                                         const ImportOptions& options);

}  // namespace batchscope::csv
