#pragma once

#include <string>

#include "batchscope/advice/trace_summary.hpp"

namespace batchscope::traceview {

// When the timeline of a trace begins and ends: the pieces of all its devices. Empty where none
// were kept.
struct TimeWindow {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  bool empty() const { return end_ns <= start_ns; }
};
TimeWindow window_of(const advice::TraceSummary& summary);

// The whole timeline as a drawing, for paper and for viewers without a script: steps, each device's
// time by parts, memory.
std::string time_picture(const advice::TraceSummary& summary);

// "GPU 0", and what it is called in brackets where that is known.
std::string device_label(const advice::TraceSummary& summary, int64_t device);

}  // namespace batchscope::traceview
