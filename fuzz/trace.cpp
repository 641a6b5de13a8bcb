#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "batchscope/advice/job.hpp"
#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/attribution/annotated_trace.hpp"
#include "batchscope/trace/reader.hpp"

namespace {

using batchscope::attribution::Part;

// Every moment of a device is exactly one part: the pieces lie end to end, and their sums are the
// wall time.
void check_pieces(const batchscope::attribution::DeviceTime& device) {
  int64_t at = device.pieces.front().start_ns;
  for (const auto& piece : device.pieces) {
    if (piece.start_ns != at || piece.end_ns <= piece.start_ns) __builtin_trap();
    at = piece.end_ns;
  }
  if (device.parts.wall_ns() != device.wall_ns()) __builtin_trap();
}

}  // namespace

// Whatever stands in a trace, packed or not: reading it ends in a trace or an error, on any number
// of threads in the same one, and of a trace everything can be told.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace trace = batchscope::trace;
  namespace advice = batchscope::advice;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  trace::ReadOptions options;
  options.threads = 1;
  options.block_bytes = 256;
  options.most_bytes = 16 << 20;
  options.most_activities = 100'000;
  const auto read = trace::TraceReader(options).parse(text, "fuzz");
  if (!read) return 0;
  if (read->read.events != static_cast<int64_t>(read->activities.size())) __builtin_trap();
  advice::SummaryOptions summary_options;
  summary_options.keep_pieces = true;
  auto summary = advice::summarise(*read, summary_options);
  for (const auto& device : summary.attribution.devices) check_pieces(device);
  static_cast<void>(advice::to_json(summary));
  static_cast<void>(batchscope::attribution::annotated_trace(*read, summary.attribution));
  static_cast<void>(advice::compare_ranks({summary, summary}));
  return 0;
}
