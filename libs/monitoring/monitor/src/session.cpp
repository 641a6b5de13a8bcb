#include "batchscope/monitor/session.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "batchscope/watch/watch.hpp"

namespace batchscope::monitor {
namespace {

using FindingTracker = std::vector<watch::ActiveFinding>;

FindingTracker worst_first(FindingTracker machine, FindingTracker steps) {
  std::move(steps.begin(), steps.end(), std::back_inserter(machine));
  std::stable_sort(machine.begin(), machine.end(),
                   [](const watch::ActiveFinding& a, const watch::ActiveFinding& b) {
                     return a.finding.severity > b.finding.severity;
                   });
  return machine;
}

}  // namespace

findings::Catalogue kinds(const MonitorOptions& options) {
  return findings::joined({training::kinds(options.steps), watch::kinds(options.targets)});
}

void set_window(MonitorOptions& options, base::Nanoseconds window) {
  constexpr double kRaiseShare = 0.25;
  const double seconds = std::chrono::duration<double>(window).count();
  options.window.window_seconds = seconds;
  options.window.raise_seconds = kRaiseShare * seconds;
  options.window.clear_seconds = seconds;
}

MonitorSession::MonitorSession(const MonitorOptions& options)
    : machine_(options.targets, options.window), steps_(options.steps), window_(options.window) {}

double MonitorSession::min_detection_seconds(double interval_seconds) const {
  return watch::min_detection_seconds(window_, interval_seconds);
}

void MonitorSession::add(const telemetry::TrainingStep& step) {
  machine_.add(step);
  steps_.add(step);
  waiting_.push_back(step);
}

const Tick& MonitorSession::add(telemetry::Sample sample) {
  machine_.add(sample);
  steps_.add(sample);
  tick_.sample = std::move(sample);
  tick_.steps = std::exchange(waiting_, {});
  tick_.active = worst_first(machine_.active(), steps_.active());
  tick_.changes = worst_first(machine_.take_changes(), steps_.take_changes());
  return tick_;
}

std::vector<watch::ActiveFinding> MonitorSession::all() const {
  return worst_first(machine_.all(), steps_.all());
}

}  // namespace batchscope::monitor
