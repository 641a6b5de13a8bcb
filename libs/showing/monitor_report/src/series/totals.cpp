#include "series/totals.hpp"

#include <algorithm>
#include <cmath>

namespace batchscope::monitor_report {
namespace {

using telemetry::GpuReading;
using telemetry::Sample;
using telemetry::TrainingStep;

double quantile(std::vector<double>& values, double share) {
  const auto at = std::lround(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<size_t>(at)];
}

void take_loss(const TrainingStep& step, LoopTotals& totals) {
  if (!step.loss_word.empty()) {
    if (!totals.first_not_finite) totals.first_not_finite = step.step;
    ++totals.not_finite;
  }
  if (!step.loss) return;
  if (!totals.first_loss) totals.first_loss = step.loss;
  totals.last_loss = step.loss;
}

struct Sums {
  double samples = 0, loading = 0, loading_of = 0;
  size_t reported = 0;  // how many samples they had
};

void take_sums(const TrainingStep& step, Sums& sums) {
  if (step.batch_size) {
    sums.samples += static_cast<double>(*step.batch_size * step.replaces);
    ++sums.reported;
  }
  if (step.loading_seconds) {
    const auto lines = static_cast<double>(step.replaces);
    sums.loading += *step.loading_seconds * lines;
    sums.loading_of += step.seconds * lines;
  }
}

// The driver tells the mean of the time before.
std::optional<double> joules_since(const Sample& before, const Sample& now,
                                   const std::string& gpu) {
  constexpr double kLongestPause = 60;  // as the summary has it
  const GpuReading* const reading = reading_of(now, gpu);
  const double seconds = 1e-9 * static_cast<double>(now.time_ns - before.time_ns);
  if (reading == nullptr || !reading->power_watts || seconds > kLongestPause) return std::nullopt;
  return *reading->power_watts * seconds;
}

std::optional<double> energy_by_power(const RecordedSeries& recorded, const std::string& gpu) {
  std::optional<double> joules;
  const Sample* before = nullptr;
  for (const Sample* now : recorded.samples) {
    const auto more = before == nullptr ? std::nullopt : joules_since(*before, *now, gpu);
    if (more) joules = joules.value_or(0) + *more;
    before = now;
  }
  return joules;
}

}  // namespace

LoopTotals totals_of(const Loop& loop) {
  LoopTotals totals;
  totals.first_step = loop.steps.front()->step;
  totals.last_step = loop.steps.back()->step;
  std::vector<double> seconds;
  seconds.reserve(loop.steps.size());
  Sums sums;
  for (const TrainingStep* step : loop.steps) {
    if (step->seconds > 0) seconds.push_back(step->seconds);
    totals.steps += static_cast<size_t>(step->replaces);
    totals.seconds += step->full_seconds();
    take_loss(*step, totals);
    take_sums(*step, sums);
  }
  if (!seconds.empty()) {
    totals.typical_seconds = quantile(seconds, 0.5);
    totals.slow_seconds = quantile(seconds, 0.95);
  }
  if (sums.reported == loop.steps.size() && totals.seconds > 0) {
    totals.samples_per_second = sums.samples / totals.seconds;
  }
  if (sums.loading_of > 0) totals.loading_share = sums.loading / sums.loading_of;
  return totals;
}

std::optional<double> energy_joules(const RecordedSeries& recorded, const std::string& gpu) {
  std::optional<double> joules, before;
  for (const Sample* sample : recorded.samples) {
    const GpuReading* const reading = reading_of(*sample, gpu);
    if (reading == nullptr || !reading->energy_joules_total) continue;
    // It begins anew when the driver is loaded anew.
    const double now = *reading->energy_joules_total;
    if (before && now >= *before) joules = joules.value_or(0) + (now - *before);
    before = now;
  }
  return joules ? joules : energy_by_power(recorded, gpu);
}

}  // namespace batchscope::monitor_report
