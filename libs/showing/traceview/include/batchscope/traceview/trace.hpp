#pragma once

#include <string>

#include "batchscope/advice/comparison.hpp"
#include "batchscope/advice/job.hpp"
#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/document/text_style.hpp"

namespace batchscope::traceview {

// One trace for a reader at a terminal, the answer first, on one screen: where each device's time
// went, what would change it, the longest kernels. All there is: also steps, gaps, operators,
// memory. Names are untrusted, here and below.
std::string trace_text(const advice::TraceSummary& summary, const document::TextStyle& style = {});
std::string trace_markdown(const advice::TraceSummary& summary);
// All of it as one page that needs nothing but itself, with a timeline to zoom into where the
// summary kept its pieces; without a script still all tables, and the timeline as a picture. Its
// content security policy is that of the page of a run. Errors: failed (a build without the page's
// script).
base::Result<std::string> trace_html(const advice::TraceSummary& summary);
// The ranks of a job against each other; of one rank as above. All there is: also each by itself.
std::string job_text(const advice::JobSummary& job, const document::TextStyle& style = {});
std::string job_markdown(const advice::JobSummary& job);
// As a page, without a timeline. Errors: as of trace_html().
base::Result<std::string> job_html(const advice::JobSummary& job);
// Two traces against each other: the answer, the parts, the kernels that changed, the predictions.
std::string comparison_text(const advice::TraceComparison& comparison,
                            const document::TextStyle& style = {});
std::string comparison_markdown(const advice::TraceComparison& comparison);
base::Result<std::string> comparison_html(const advice::TraceComparison& comparison);
// A line for each part and for each kernel that changed, in nanoseconds.
std::string comparison_csv(const advice::TraceComparison& comparison);
// A line for each device of each rank, and for each step of it, with the parts in nanoseconds.
std::string trace_csv(const advice::JobSummary& job);
std::string trace_csv(const advice::TraceSummary& summary);
// docs/reference/schema/trace.schema.json and trace-comparison.schema.json; of several ranks an
// object with "ranks", each as of one. Times in whole nanoseconds.
std::string trace_json(const advice::TraceSummary& summary);
std::string trace_json(const advice::JobSummary& job);
std::string comparison_json(const advice::TraceComparison& comparison);

}  // namespace batchscope::traceview
