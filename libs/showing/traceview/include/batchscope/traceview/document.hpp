#pragma once

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/document/document.hpp"
#include "batchscope/document/text_style.hpp"

namespace batchscope::traceview {

// What is told of a trace, the answer first.
document::Document trace_document(const advice::TraceSummary& summary, document::Extent extent);

// "GPU 0", "NPU 0".
std::string device_name(const advice::TraceSummary& summary, int64_t device);

// Where the steps come from: "marked by the profiler".
const char* step_source_words(attribution::StepSource source);

// What the reader has to know before believing the figures: events, steps, what is missing.
std::string how_it_was_read(const advice::TraceSummary& summary);
// Its parts: a row a device, a step, a gap, what idle time lies in, a name, an item a finding.
document::TextTable device_parts_table(const advice::TraceSummary& summary);
// Of a trace without a device: a row a part of the host's time, and a row a thread.
document::TextTable host_table(const advice::TraceSummary& summary);
document::TextTable thread_table(const advice::TraceSummary& summary);
document::TextTable step_table(const advice::TraceSummary& summary);
document::TextTable place_table(const advice::TraceSummary& summary);
document::TextTable gap_table(const advice::TraceSummary& summary);
document::TextTable totals_table(const std::vector<attribution::Total>& totals, size_t most,
                                 size_t steps);
document::Cell milliseconds_cell(int64_t ns);
document::List finding_list(const std::vector<findings::Finding>& findings,
                            document::Extent extent);
// Of "void at::native::kernel<4, float>(int, float)" only what tells it from others: without what
// it returns and takes.
std::string name_for_a_reader(const std::string& name);
document::TextTable memory_table(const advice::TraceSummary& summary);

}  // namespace batchscope::traceview
