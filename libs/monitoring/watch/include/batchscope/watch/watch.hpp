#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/telemetry/sample.hpp"
#include "batchscope/watch/active_finding.hpp"
#include "batchscope/watch/targets.hpp"

namespace batchscope::watch {

struct WatchOptions {
  // What is judged: the last so many seconds, or the last twelve samples where those are longer.
  double window_seconds = 60;
  double raise_seconds = 30;     // a condition on the window holds for as long before it is told
  double clear_seconds = 60;     // and not for as long before it ends
  double event_seconds = 600;    // an error that happened once is told for as long
  std::size_t remembered = 256;  // findings that ended, at most, of kinds and places
};

// What a watch tells of, in words of what it judges by.
findings::Catalogue kinds(const Targets& targets = {});

// For so long a machine has to be watched, by samples at these distances (0: not known), until what
// is bad all the time is told.
double min_detection_seconds(const WatchOptions& options, double interval_seconds);

// Judges a machine by its samples, and by the steps of a training loop where one tells them. Reads
// no clock: a log that is replayed gives the findings that were given live. Memory does not grow
// with time: the window, and for leaks 64 points each of the last half hour, 4 hours, 34 hours and
// 11 days. One thread at a time.
class Watch {
 public:
  explicit Watch(Targets targets = {}, WatchOptions options = {});
  ~Watch();
  Watch(Watch&&) noexcept;
  Watch& operator=(Watch&&) noexcept;

  // In the order of their times; what is older than the last sample is passed over.
  void add(const telemetry::Sample& sample);
  // Batch size and loader wait help to tell causes apart.
  void add(const telemetry::TrainingStep& step);

  std::vector<ActiveFinding> active() const;  // now, worst first
  std::vector<ActiveFinding> take_changes();  // raised or ended since the last call
  // All that ever stood, one of a kind and a place, worst first: the first time that it began, the
  // last that it ended, and how often it stood in between.
  std::vector<ActiveFinding> all() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace batchscope::watch
