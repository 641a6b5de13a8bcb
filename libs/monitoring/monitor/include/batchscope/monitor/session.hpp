#pragma once

#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/telemetry/sample.hpp"
#include "batchscope/training/step_watch.hpp"
#include "batchscope/watch/active_finding.hpp"
#include "batchscope/watch/watch.hpp"

namespace batchscope::monitor {

// What there is to tell after a sample.
struct Tick {
  telemetry::Sample sample;
  std::vector<telemetry::TrainingStep> steps;  // told since the tick before
  std::vector<watch::ActiveFinding> active;    // what is wrong now, worst first
  std::vector<watch::ActiveFinding> changes;   // raised or ended since the tick before
};

// Where it goes: a log, a server, a screen.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual std::string_view name() const = 0;
  // Errors: failed (a full disk); the next tick is tried again.
  virtual base::Result<void> take(const Tick& tick) = 0;
};

struct MonitorOptions {
  watch::Targets targets{};
  watch::WatchOptions window{};
  training::StepOptions steps{};
};

// What can be told, in words of what it is judged by.
findings::Catalogue kinds(const MonitorOptions& options = {});

// Judged over this time instead of the usual window; whatever is bad for a fourth of it is told.
void set_window(MonitorOptions& options, base::Nanoseconds window);

// The rules over a machine and its training loops, live or replayed: it knows no clock.
class MonitorSession {
 public:
  explicit MonitorSession(const MonitorOptions& options = {});

  void add(const telemetry::TrainingStep& step);
  // Closes a tick: all that came since the one before.
  const Tick& add(telemetry::Sample sample);
  const Tick& last() const { return tick_; }
  // All that ever stood, worst first.
  std::vector<watch::ActiveFinding> all() const;
  // For so long a machine has to be watched, by samples at these distances, until what is bad all
  // the time is told.
  double min_detection_seconds(double interval_seconds) const;
  const training::StepWatch& steps() const { return steps_; }

 private:
  watch::Watch machine_;
  training::StepWatch steps_;
  watch::WatchOptions window_;
  std::vector<telemetry::TrainingStep> waiting_;
  Tick tick_;
};

}  // namespace batchscope::monitor
