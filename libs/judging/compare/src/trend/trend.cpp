#include "batchscope/compare/trend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/compare/change_points.hpp"
#include "batchscope/compare/machines.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/timing/visits.hpp"
#include "comparisons/open_comparison.hpp"

namespace batchscope::compare {
namespace {

using findings::percent;
using findings::Trend;
using findings::TrendChange;
using findings::TrendSeries;
using tables::ConfigData;
using tables::GroupData;
using tables::RunView;

std::string few_words(const Trend& trend) {
  std::vector<std::size_t> lengths;
  for (const TrendSeries& series : trend.series) lengths.push_back(series.points.size());
  return fmt::format(
      "Too few runs to show a change: the test needs {} of a configuration on one machine.",
      values_to_split(level_of_each(lengths, trend.level)));
}

std::string quiet_words(const Trend& trend) {
  std::optional<double> largest;
  for (const TrendSeries& series : trend.series) {
    if (series.detectable) largest = std::max(largest.value_or(0), *series.detectable);
  }
  if (!largest) return few_words(trend);
  return fmt::format(
      "No significant change in {}. The test has 80 % power to detect a step of {} in the middle.",
      base::counted(trend.runs.size(), "run"), percent(*largest));
}

std::string place_words(const TrendSeries& series) {
  return series.machine.empty() ? series.label
                                : fmt::format("{} ({})", series.label, series.machine);
}

// "batch 4 takes 12 % more time in the later runs, from abc123 on, but each run resembles the one
// before it: this may be a slow drift, and no step is shown."
std::string drift_words(const Trend& trend, const TrendSeries& series) {
  const double more = series.drift->ratio.value - 1;
  return fmt::format(
      "{} takes {} {} time in the later runs, from {} on, but this may be slow drift: each run "
      "resembles the run before.",
      place_words(series), percent(std::abs(more)), more < 0 ? "less" : "more",
      trend.runs[series.drift->run].label);
}

const TrendChange* largest_drift(const Trend& trend) {
  const TrendChange* largest = nullptr;
  const auto size = [](const TrendChange& drift) { return std::abs(std::log(drift.ratio.value)); };
  for (const TrendSeries& series : trend.series) {
    if (!series.drift || (largest != nullptr && size(*series.drift) <= size(*largest))) continue;
    largest = &*series.drift;
  }
  return largest;
}

// "batch 4 takes 5.1 % more time (interval 3.2 to 7.0 %) from abc123 on; the first such run is one
// of those from 9f0e to abc123."
std::string change_words(const Trend& trend, const TrendSeries& series, const TrendChange& change) {
  const auto label = [&](std::size_t run) { return trend.runs[run].label; };
  const double more = change.ratio.value - 1;
  std::optional<stats::Interval> interval;
  if (const auto& ci = change.ratio.ci) {
    interval = more < 0 ? stats::Interval{1 - ci->high, 1 - ci->low}
                        : stats::Interval{ci->low - 1, ci->high - 1};
  }
  const std::string where = change.earliest == change.latest
                                ? ""
                                : fmt::format("; the first such run lies between {} and {}",
                                              label(change.earliest), label(change.latest));
  return fmt::format("{} takes {} {} time{} from {} on{}.", place_words(series),
                     percent(std::abs(more)), more < 0 ? "less" : "more",
                     findings::in_interval(interval), label(change.run), where);
}

// The answer, once all series are there.
std::string trend_words(const Trend& trend) {
  std::size_t changes = 0;
  const TrendChange* latest = nullptr;
  for (const TrendSeries& series : trend.series) {
    changes += series.changes.size();
    for (const TrendChange& change : series.changes) {
      if (latest == nullptr || change.run > latest->run) latest = &change;
    }
  }
  if (latest == nullptr) {
    const TrendChange* drift = largest_drift(trend);
    return drift == nullptr ? quiet_words(trend) : drift->message;
  }
  return fmt::format(
      "{} in {}{}: {}",
      changes == 1 ? "One significant change" : fmt::format("{} significant changes", changes),
      base::counted(trend.runs.size(), "run"), changes == 1 ? "" : "; the latest", latest->message);
}

// A series before it is told: ln ns, one a point.
struct OpenSeries {
  TrendSeries series;
  std::vector<double> logs;
};

OpenSeries& series_for(std::vector<OpenSeries>& all, const schema::RunConfig& config,
                       const std::string& machine) {
  for (OpenSeries& open : all) {
    if (open.series.config == config && open.series.machine == machine) return open;
  }
  OpenSeries open;
  open.series.config = config;
  open.series.machine = machine;
  all.push_back(std::move(open));
  return all.back();
}

std::vector<OpenSeries> collect(const std::vector<RunView>& views, const Trend& trend,
                                stats::Method method) {
  std::vector<OpenSeries> all;
  for (std::size_t run = 0; run < views.size(); ++run) {
    for (const GroupData& group : views[run].groups) {
      for (const ConfigData& config : group.configs) {
        OpenSeries& open = series_for(all, config.config, trend.runs[run].machine);
        const double log = centre_of(timing::logs_of(config.visits, timing::typical_ns), method);
        open.logs.push_back(log);
        open.series.points.push_back({run, to_ms(log)});
      }
    }
  }
  return all;
}

std::string label_of(const schema::RunConfig& config, const std::vector<schema::RunConfig>& keys) {
  const std::string words = tables::axis_words(config, keys);
  return fmt::format("batch {}{}{}", config.shape.batch_size, words.empty() ? "" : ", ", words);
}

TrendChange change_of(const TrendSeries& series, const LevelShift& point, double level) {
  const stats::Interval interval = stats::two_sided_interval(point.shift, level);
  TrendChange change;
  change.run = series.points[point.at].run;
  change.earliest = series.points[point.earliest].run;
  change.latest = series.points[point.latest].run;
  change.ratio = {std::exp(point.shift.value),
                  stats::Interval{std::exp(interval.low), std::exp(interval.high)}};
  return change;
}

// The centres between changes; and how far values are from theirs, as a standard deviation.
double fill_levels(const std::vector<LevelShift>& changes, OpenSeries& open) {
  double squares = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    const std::size_t end = i < changes.size() ? changes[i].at : open.logs.size();
    const auto part = std::span(open.logs).subspan(begin, end - begin);
    const double mean = stats::mean(part);
    for (const double log : part) squares += (log - mean) * (log - mean);
    const auto& points = open.series.points;
    open.series.levels.push_back({points[begin].run, points[end - 1].run, to_ms(mean)});
    begin = end;
  }
  const auto left = static_cast<double>(open.logs.size() - changes.size() - 1);
  return left > 0 ? std::sqrt(squares / left) : 0;
}

TrendSeries finished(OpenSeries open, double level) {
  const ChangePoints found = find_change_points(open.logs, level);
  const double sd = fill_levels(found.steps, open);
  TrendSeries& series = open.series;
  for (const LevelShift& point : found.steps) {
    series.changes.push_back(change_of(series, point, level));
  }
  if (found.drift) series.drift = change_of(series, *found.drift, level);
  if (open.logs.size() >= values_to_split(level)) {
    series.detectable = std::expm1(smallest_step(open.logs.size(), sd, level));
  }
  return std::move(series);
}

std::vector<schema::RunConfig> keys_of(const std::vector<RunView>& views) {
  std::vector<schema::RunConfig> keys;
  for (const RunView& view : views) {
    for (const GroupData& group : view.groups) base::add_if_new(keys, group.key);
  }
  return keys;
}

void tell_machines(Trend& trend) {
  std::set<std::string> machines;
  for (const findings::TrendRun& run : trend.runs) machines.insert(run.machine);
  if (machines.size() == 1) {
    for (TrendSeries& series : trend.series) series.machine.clear();
  } else if (machines.size() > 1) {
    trend.warnings.push_back(
        fmt::format("The runs come from {} kinds of machines, each of which has its own series.",
                    machines.size()));
  }
}

}  // namespace

Trend trend_of(const std::vector<RunView>& views, const std::vector<std::string>& labels,
               const tables::TestOptions& options) {
  Trend trend;
  trend.level = options.level;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const schema::Header& header = views[i].run->header;
    trend.runs.push_back({labels[i], header.created, machine_words(header.machine)});
  }
  std::vector<OpenSeries> all = collect(views, trend, options.method);
  const double level = level_of_each(
      base::mapped(all, [](const OpenSeries& open) { return open.logs.size(); }), options.level);
  const auto keys = keys_of(views);
  for (OpenSeries& open : all) {
    open.series.label = label_of(open.series.config, keys);
    trend.series.push_back(finished(std::move(open), level));
  }
  tell_machines(trend);
  for (TrendSeries& series : trend.series) {
    for (TrendChange& change : series.changes) change.message = change_words(trend, series, change);
    if (series.drift) series.drift->message = drift_words(trend, series);
  }
  trend.message = trend_words(trend);
  return trend;
}

}  // namespace batchscope::compare
