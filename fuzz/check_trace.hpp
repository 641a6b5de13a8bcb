#pragma once

#include "batchscope/advice/job.hpp"
#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/attribution/annotated_trace.hpp"
#include "batchscope/trace/trace.hpp"
#include "batchscope/traceview/trace.hpp"

// Every moment of a device is exactly one part: the pieces lie end to end, and their sums are the
// wall time.
inline void check_pieces(const batchscope::attribution::DeviceTime& device) {
  int64_t at = device.pieces.front().start_ns;
  for (const auto& piece : device.pieces) {
    if (piece.start_ns != at || piece.end_ns <= piece.start_ns) __builtin_trap();
    at = piece.end_ns;
  }
  if (device.parts.wall_ns() != device.wall_ns()) __builtin_trap();
}

// Of a trace everything can be told, whatever it was read from.
inline void check_trace(const batchscope::trace::Trace& trace) {
  namespace advice = batchscope::advice;
  if (trace.read.events != static_cast<int64_t>(trace.activities.size())) __builtin_trap();
  advice::SummaryOptions options;
  options.keep_pieces = true;
  auto summary = advice::summarise(trace, options);
  for (const auto& device : summary.attribution.devices) check_pieces(device);
  static_cast<void>(batchscope::traceview::trace_json(summary));
  static_cast<void>(batchscope::attribution::annotated_trace(trace, summary.attribution, "GPU"));
  static_cast<void>(advice::compare_ranks({summary, summary}));
}
