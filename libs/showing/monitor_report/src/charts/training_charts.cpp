#include <functional>

#include "charts/all_charts.hpp"
#include "charts/chart_groups.hpp"

namespace batchscope::monitor_report {
namespace {

using telemetry::TrainingStep;
using StepValue = std::function<std::optional<double>(const TrainingStep&)>;

std::string name_of_loop(const RecordedSeries& recorded, const Loop& loop) {
  if (!loop.name.empty()) return short_name(loop.name);
  return recorded.loops.size() > 1 ? "unnamed" : "training";
}

std::optional<double> samples_per_second(const TrainingStep& step) {
  if (!step.batch_size || !(step.seconds > 0)) return std::nullopt;
  return static_cast<double>(*step.batch_size) / step.seconds;
}

std::optional<double> loader_share(const TrainingStep& step) {
  if (!step.loading_seconds || !(step.seconds > 0)) return std::nullopt;
  return 100 * *step.loading_seconds / step.seconds;
}

double seconds_of(const TrainingStep& step) {
  return step.seconds;
}

double one_of(const TrainingStep&) {
  return 1;
}

Chart of_loops(const RecordedSeries& recorded, Chart chart, const StepValue& value,
               double (*weight)(const TrainingStep&) = one_of) {
  chart.by_step = true;
  for (const Loop& loop : recorded.loops) {
    if (chart.lines.size() == kMostLines) break;
    const auto at = [&](size_t i) { return value(*loop.steps[i]); };
    const auto weighs = [&](size_t i) { return weight(*loop.steps[i]); };
    chart.lines.push_back({name_of_loop(recorded, loop), loop.clock,
                           min_mean_max_of(recorded.clocks[loop.clock], at, weighs)});
  }
  return chart;
}

// In seconds where steps are long.
Chart step_time(const RecordedSeries& recorded) {
  MinMeanMax all;
  for (const Loop& loop : recorded.loops) {
    for (const TrainingStep* step : loop.steps) {
      if (step->seconds > 0) all.take(step->seconds);
    }
  }
  const bool is_short = all.count > 0 && all.mean() < 1;
  const double scale = is_short ? 1e3 : 1;
  return of_loops(recorded,
                  {"step-time", "Step time", is_short ? "ms" : "s", "", true, true, {}, {}},
                  [scale](const TrainingStep& step) {
                    return step.seconds > 0 ? std::optional(scale * step.seconds) : std::nullopt;
                  });
}

}  // namespace

std::vector<Chart> training_charts(const RecordedSeries& recorded) {
  std::vector<Chart> charts;
  charts.push_back(of_loops(recorded, {"loss", "Loss", "", "", false, true, {}, {}},
                            [](const TrainingStep& step) { return step.loss; }));
  charts.push_back(step_time(recorded));
  charts.push_back(of_loops(recorded,
                            {"throughput", "Throughput", "samples/s", "", true, true, {}, {}},
                            samples_per_second, seconds_of));
  charts.push_back(of_loops(
      recorded,
      {"loading", "Wait for the loader", "%", "Share of the step time.", true, true, {}, {}},
      loader_share, seconds_of));
  return charts;
}

}  // namespace batchscope::monitor_report
