#pragma once

#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::schema {

struct ImportOptions {
  std::string model;  // what the numbers are of; default: a `model` column, else the table's name
  std::string precision;       // default: a `precision` column, else fp32
  std::string device = "cpu";  // default for rows without a `device` column
};

// A table measured elsewhere as a run file of origin "import". The first line that has a `batch` or
// `batch_size` column is the header (what stands above it is passed over). Columns, in any order
// and case, "latency(us)" = "latency_us":
//   batch | batch_size          required, a positive integer
//   latency_X | time_X          X = ns, us, ms, s: time of one batch; or throughput_per_s (samples
//   a second) std_X, repeats              the spread and the count that the table states; recorded,
//   never tested with memory_bytes | memory(B)    peak device memory seq_len, model, precision,
//   device, threads, instances, mode, engine   axes
// Rows that repeat a configuration are its repeats, in the order of the table. Rows that cannot be
// used become warning events with their line number. Errors: input (no header, no usable row),
// usage (an unknown precision).
base::Result<RunFile> import_csv(std::string_view text, std::string_view name,
                                 const ImportOptions& options);

}  // namespace batchscope::schema
