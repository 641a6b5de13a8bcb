#include "batchscope/monitor_report/screen_history.hpp"

#include <algorithm>

namespace batchscope::monitor_report {
namespace {

TrainingPace pace_of(const std::deque<telemetry::TrainingStep>& steps) {
  TrainingPace pace;
  pace.last = steps.back();
  double seconds = 0, loading = 0;
  int64_t samples = 0;
  bool all_batches = true, all_loading = true;
  for (const telemetry::TrainingStep& step : steps) {
    seconds += step.seconds;
    samples += step.batch_size.value_or(0);
    loading += step.loading_seconds.value_or(0);
    all_batches = all_batches && step.batch_size;
    all_loading = all_loading && step.loading_seconds;
  }
  pace.step_seconds = seconds / static_cast<double>(steps.size());
  if (seconds <= 0) return pace;
  if (all_batches) pace.samples_per_second = static_cast<double>(samples) / seconds;
  if (all_loading) pace.loading_ratio = loading / seconds;
  return pace;
}

}  // namespace

void ScreenHistory::add(const telemetry::Sample& sample) {
  Moment moment{sample.time_ns, sample.host.cpu_busy_ratio, {}};
  for (const telemetry::GpuReading& gpu : sample.gpus) {
    if (gpu.busy_ratio) moment.gpu_busy.emplace(gpu.gpu, *gpu.busy_ratio);
  }
  moments_.push_back(std::move(moment));
  if (moments_.size() <= kSamples) return;
  moments_.pop_front();
  ++forgotten_;
}

void ScreenHistory::add(const telemetry::TrainingStep& step) {
  Steps& steps = loops_[step.source];
  steps.push_back(step);
  if (steps.size() > kSteps) steps.pop_front();
  if (loops_.size() <= kLoops) return;
  const auto reported = [](const auto& a, const auto& b) {
    return a.second.back().time_ns < b.second.back().time_ns;
  };
  loops_.erase(std::min_element(loops_.begin(), loops_.end(), reported));
}

double ScreenHistory::seconds() const {
  if (moments_.empty()) return 0;
  const auto first = static_cast<double>(moments_.front().time_ns);
  return (static_cast<double>(moments_.back().time_ns) - first) / 1e9;
}

template <class Value>
Curve ScreenHistory::curve(std::size_t columns, const Value& value_of) const {
  Curve points;
  if (columns == 0 || moments_.empty()) return points;
  const std::size_t each = (kSamples + columns - 1) / columns;
  double sum = 0;
  int stated = 0;
  for (std::size_t i = 0; i < moments_.size(); ++i) {
    if (const std::optional<double> value = value_of(moments_[i])) {
      sum += *value;
      ++stated;
    }
    // By the number of the sample since the beginning: whole points stay what they were.
    if ((forgotten_ + i + 1) % each != 0 && i + 1 < moments_.size()) continue;
    points.push_back(stated > 0 ? std::optional(sum / stated) : std::nullopt);
    sum = 0;
    stated = 0;
  }
  if (points.size() > columns) points.erase(points.begin());
  return points;
}

Curve ScreenHistory::cpu_busy(std::size_t columns) const {
  return curve(columns, [](const Moment& moment) { return moment.cpu_busy; });
}

Curve ScreenHistory::gpu_busy(std::string_view gpu, std::size_t columns) const {
  return curve(columns, [gpu](const Moment& moment) {
    const auto found = moment.gpu_busy.find(gpu);
    return found == moment.gpu_busy.end() ? std::nullopt : std::optional(found->second);
  });
}

std::vector<TrainingPace> ScreenHistory::training() const {
  std::vector<TrainingPace> paces;
  for (const auto& [source, steps] : loops_) paces.push_back(pace_of(steps));
  return paces;
}

}  // namespace batchscope::monitor_report
