#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "batchscope/charts/figures.hpp"
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
// fields. A chart without data is left out. `runs` are those that the summary was made of.
Json html_charts(const findings::Summary& summary, std::span<const schema::RunFile> runs);

// A figure as the page's script reads it, all but the place that it stands in.
Json chart_json(const charts::SizeFigure& figure);
Json chart_json(const charts::BoxFigure& figure);
Json chart_json(const charts::StackFigure& figure);
Json chart_json(const charts::Scatter& scatter);

// Operators and kernels that change most between batch sizes, a chart a table.
std::vector<charts::SizeFigure> operation_figures(const std::vector<findings::Group>& groups);

}  // namespace batchscope::report
