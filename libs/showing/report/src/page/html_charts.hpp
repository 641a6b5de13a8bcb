#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::schema {
struct RunFile;
}  // namespace batchscope::schema

namespace batchscope::report {

using Json = nlohmann::ordered_json;

// Elements of the page that hold charts.
namespace places {
inline constexpr const char* kAnswer = "answer-chart";
inline constexpr const char* kMain = "charts-place";
inline constexpr const char* kTuning = "tuning-charts";
inline constexpr const char* kMore = "more-charts";  // folded
}  // namespace places

// The charts of the page as data, in the order of the page; web/report/src/data.ts names the
// fields. A chart without data is left out. Names are cleaned and shortened; numbers are those of
// the summary, and texts read as in its tables. `runs` are those that the summary was made of.
Json html_charts(const findings::Summary& summary, std::span<const schema::RunFile> runs);

// The kinds, each nothing (an empty list) without data.

// Every batch size by throughput and latency, with what is recommended and the budget.
std::vector<Json> html_answer_chart(const findings::Summary& summary,
                                    std::span<const schema::RunFile> runs);
// An estimate at each batch size, in several ways.
std::vector<Json> html_line_charts(const findings::Summary& summary);
// How far each size is off the fitted law.
std::vector<Json> html_residual_chart(const findings::Summary& summary);
// Every visit by when it was made and how long it took, a chart a run.
std::vector<Json> html_visits_charts(std::span<const schema::RunFile> runs);
std::vector<Json> html_memory_charts(const std::vector<findings::Group>& groups);
std::vector<Json> html_box_chart(const std::vector<findings::Group>& groups);
std::vector<Json> html_breakdown_charts(const std::vector<findings::Group>& groups);
std::vector<Json> html_operation_charts(const std::vector<findings::Group>& groups);
// Every measured point by throughput and latency, and by throughput and memory.
std::vector<Json> html_tuning_charts(const std::vector<findings::Tuning>& tunings);

// A name as it stands beside a chart; never blank.
std::string shown_name(const std::string& raw);

}  // namespace batchscope::report
