#include "trend_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "batchscope/compare/change_points.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::compare {
namespace {

using findings::percent;
using findings::Trend;
using findings::TrendChange;
using findings::TrendSeries;

std::string few_words(const Trend& trend) {
  std::vector<std::size_t> lengths;
  for (const TrendSeries& series : trend.series) lengths.push_back(series.points.size());
  return fmt::format(
      "Too few runs to show a change: at least {} of a configuration on one machine are needed.",
      values_to_split(level_of_each(lengths, trend.level)));
}

std::string quiet_words(const Trend& trend) {
  std::optional<double> largest;
  for (const TrendSeries& series : trend.series) {
    if (series.detectable) largest = std::max(largest.value_or(0), *series.detectable);
  }
  if (!largest) return few_words(trend);
  return fmt::format(
      "No change is shown in {} runs; a step of {} in the middle would be shown in at least four "
      "of five such series.",
      trend.runs.size(), percent(*largest));
}

}  // namespace

std::string change_words(const Trend& trend, const TrendSeries& series, const TrendChange& change) {
  const auto label = [&](std::size_t run) { return trend.runs[run].label; };
  const double more = change.ratio.value - 1;
  std::optional<stats::Interval> interval;
  if (const auto& ci = change.ratio.ci) {
    interval = more < 0 ? stats::Interval{1 - ci->high, 1 - ci->low}
                        : stats::Interval{ci->low - 1, ci->high - 1};
  }
  const std::string machine = series.machine.empty() ? "" : fmt::format(" ({})", series.machine);
  const std::string where = change.earliest == change.latest
                                ? ""
                                : fmt::format("; the first such run is one of those from {} to {}",
                                              label(change.earliest), label(change.latest));
  return fmt::format("{}{} takes {} {} time{} from {} on{}.", series.label, machine,
                     percent(std::abs(more)), more < 0 ? "less" : "more",
                     findings::in_interval(interval), label(change.run), where);
}

std::string trend_words(const Trend& trend) {
  std::size_t changes = 0;
  const TrendChange* latest = nullptr;
  for (const TrendSeries& series : trend.series) {
    changes += series.changes.size();
    for (const TrendChange& change : series.changes) {
      if (latest == nullptr || change.run > latest->run) latest = &change;
    }
  }
  if (latest == nullptr) return quiet_words(trend);
  return fmt::format(
      "{} in {} runs{}: {}",
      changes == 1 ? "One change is shown" : fmt::format("{} changes are shown", changes),
      trend.runs.size(), changes == 1 ? "" : "; the latest", latest->message);
}

}  // namespace batchscope::compare
