#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "batchscope/charts/pictures.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/report/picture.hpp"

namespace batchscope::report {
namespace {

using charts::SizePoint;
using charts::SizeSeries;
using Object = nlohmann::json;

// As many as there are colours.
constexpr std::size_t kMostSeriesOfPicture = 6;

std::optional<double> number_at(const Object& row, const char* name) {
  const auto found = row.find(name);
  if (found == row.end() || !found->is_number()) return {};
  return found->get<double>();
}

std::optional<SizePoint> row_point(const Object& row) {
  const auto size = number_at(row, "batch_size");
  const auto value = number_at(row, "throughput_per_s");
  if (!size || !(*size >= 1 && *size <= 1e12) || !value) return {};
  SizePoint point{.size = static_cast<int64_t>(*size), .value = *value};
  findings::Estimate estimate{*value, {}};
  const auto low = number_at(row, "throughput_ci_low"), high = number_at(row, "throughput_ci_high");
  if (low && high) point.interval = estimate.ci = stats::Interval{*low, *high};
  point.text = findings::inline_estimate(estimate, findings::Quantity::amount) + " samples/s";
  point.brief = findings::show(estimate, findings::Quantity::amount).value;
  if (row.value("verdict", Object()) == "proven") point.mark = charts::PointMark::slow;
  if (row.value("verdict", Object()) == "suspect") point.verdict = findings::Verdict::suspect;
  return point;
}

std::string label_of(const Object& analysis, std::size_t group) {
  const Object groups = analysis.value("groups", Object::array());
  if (!groups.is_array() || group >= groups.size() || !groups[group].is_object()) return "";
  const Object label = groups[group].value("label", Object());
  return label.is_string() ? label.get<std::string>() : "";
}

std::map<std::size_t, std::vector<SizePoint>> points_by_group(const Object& analysis) {
  std::map<std::size_t, std::vector<SizePoint>> groups;
  const Object rows = analysis.value("configs", Object::array());
  for (const Object& row : rows) {
    if (!row.is_object()) continue;
    const auto point = row_point(row);
    const auto group = number_at(row, "group").value_or(0);
    if (point && group >= 0) groups[static_cast<std::size_t>(group)].push_back(*point);
  }
  return groups;
}

}  // namespace

base::Result<std::string> throughput_picture(std::string_view analysis_json) {
  const Object analysis = Object::parse(analysis_json, nullptr, false);
  if (!analysis.is_object()) {
    return base::Error{base::ErrorKind::input, "not an analysis in JSON", "standard input",
                       "use the output of batchscope analyze --format json"};
  }
  charts::SizeFigure figure{.texts = {"throughput", "Throughput over batch size",
                                      "throughput (samples/s)",
                                      "Bars: CIs, with an arrow beyond the chart."}};
  for (auto& [group, points] : points_by_group(analysis)) {
    const std::size_t style = figure.series.size();
    if (style == kMostSeriesOfPicture) break;
    std::sort(points.begin(), points.end(),
              [](const SizePoint& a, const SizePoint& b) { return a.size < b.size; });
    const std::string label = label_of(analysis, group);
    figure.series.push_back({label.empty() ? "measured" : charts::shown_name(label), style, style,
                             false, std::move(points)});
  }
  return figure.series.empty() ? std::string() : charts::picture(figure);
}

}  // namespace batchscope::report
