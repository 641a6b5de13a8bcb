#include "series/recorded.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace batchscope::monitor_report {
namespace {

using telemetry::GpuReading;
using telemetry::Sample;
using telemetry::TrainingStep;

template <class Of>
void order(std::vector<const Of*>& all) {
  const auto earlier = [](const Of* one, const Of* other) { return one->time_ns < other->time_ns; };
  if (!std::is_sorted(all.begin(), all.end(), earlier)) {
    std::stable_sort(all.begin(), all.end(), earlier);
  }
}

template <class Of>
TimeAxis clock_of_all(const std::vector<const Of*>& all) {
  std::vector<int64_t> times;
  times.reserve(all.size());
  for (const Of* one : all) times.push_back(one->time_ns);
  return time_axis_of(times);
}

// "2" before "10", and "0:1" behind "0".
bool comes_before(const std::string& one, const std::string& other) {
  const auto key = [](const std::string& name) { return name.find(':') == std::string::npos; };
  const auto digits = [](const std::string& name) { return std::min(name.find(':'), name.size()); };
  if (digits(one) != digits(other)) return digits(one) < digits(other);
  if (key(one) && key(other)) return one < other;
  return one.size() == other.size() ? one < other : one.size() < other.size();
}

std::vector<std::string> gpus_of(const std::vector<const Sample*>& samples) {
  std::set<std::string> names;
  for (const Sample* sample : samples) {
    for (const GpuReading& gpu : sample->gpus) names.insert(gpu.gpu);
  }
  std::vector<std::string> all(names.begin(), names.end());
  std::sort(all.begin(), all.end(), comes_before);
  return all;
}

std::vector<Loop> loops_of(const std::vector<TrainingStep>& steps) {
  std::map<std::string, Loop> loops;
  for (const TrainingStep& step : steps) {
    if (step.time_ns >= 0) loops[step.source].steps.push_back(&step);
  }
  std::vector<Loop> all;
  for (auto& [name, loop] : loops) {
    loop.name = name;
    order(loop.steps);
    all.push_back(std::move(loop));
  }
  return all;
}

// A step has lasted until its time.
int64_t start_of(const TrainingStep& step) {
  const double ns = 1e9 * step.seconds;
  const bool usable = ns >= 0 && ns <= static_cast<double>(step.time_ns);
  return usable ? step.time_ns - static_cast<int64_t>(ns) : step.time_ns;
}

void set_ends(RecordedSeries& recorded) {
  std::vector<int64_t> ends;
  if (!recorded.samples.empty()) {
    ends = {recorded.samples.front()->time_ns, recorded.samples.back()->time_ns};
  }
  for (const Loop& loop : recorded.loops) {
    ends.push_back(start_of(*loop.steps.front()));
    ends.push_back(loop.steps.back()->time_ns);
  }
  if (ends.empty()) return;
  const auto [least, most] = std::minmax_element(ends.begin(), ends.end());
  recorded.start_ns = *least;
  recorded.end_ns = *most;
}

}  // namespace

RecordedSeries series_in(const telemetry::LogContent& log) {
  RecordedSeries recorded;
  for (const Sample& sample : log.samples) {
    if (sample.time_ns >= 0) recorded.samples.push_back(&sample);
  }
  order(recorded.samples);
  recorded.gpus = gpus_of(recorded.samples);
  recorded.loops = loops_of(log.steps);
  recorded.clocks.push_back(clock_of_all(recorded.samples));
  for (Loop& loop : recorded.loops) {
    loop.clock = recorded.clocks.size();
    recorded.clocks.push_back(clock_of_all(loop.steps));
  }
  set_ends(recorded);
  return recorded;
}

const GpuReading* reading_of(const Sample& sample, const std::string& gpu) {
  for (const GpuReading& reading : sample.gpus) {
    if (reading.gpu == gpu) return &reading;
  }
  return nullptr;
}

}  // namespace batchscope::monitor_report
