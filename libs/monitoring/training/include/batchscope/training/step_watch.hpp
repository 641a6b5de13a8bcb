#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/findings/catalogue.hpp"
#include "batchscope/telemetry/sample.hpp"
#include "batchscope/watch/active_finding.hpp"

namespace batchscope::training {

struct StepOptions {
  double least_change = 0.03;     // of a step's time, that is worth telling
  std::size_t most_sources = 64;  // loops; of more, the one that was silent the longest goes
  std::size_t remembered = 256;   // findings that ended, at most
};

// What is told of training loops, in words of what they are judged by.
findings::Catalogue kinds(const StepOptions& options = {});

// How fast a loop goes. Absent: too few steps, or their batches are not told.
struct Throughput {
  int64_t steps = 0, last_step = 0;
  // Of the last 64 steps, by their median: what a typical step does, without checkpoints and the
  // like.
  std::optional<double> steps_per_second, samples_per_second;
  // Of all steps, over all of their time.
  std::optional<double> overall_steps_per_second, overall_samples_per_second;
};

// Judges the steps of training loops, each source by itself, and looks into the samples of the
// machine for what changed when steps became slower. Its memory is bounded however many steps
// there are. It reads no clock: times are those of steps and samples. A finding's `table` is the
// source, its id is training.*.
class StepWatch {
 public:
  explicit StepWatch(StepOptions options = {});
  ~StepWatch();
  StepWatch(StepWatch&&) noexcept;
  StepWatch& operator=(StepWatch&&) noexcept;

  // In the order of a source's steps; a number that goes back is a loop that was restarted. Where
  // it does so twice from the same number to the same, each epoch counts its steps anew: they are
  // counted on, and findings speak of that count. Of a step of no time (0) its loss and learning
  // rate are judged; one of a negative or infinite time is passed over.
  void add(const telemetry::TrainingStep& step);
  void add(const telemetry::Sample& sample);

  std::vector<watch::ActiveFinding> active() const;  // now, worst first
  std::vector<watch::ActiveFinding> take_changes();  // raised or ended since the last call
  // All that ever stood, worst first; of a loop and a kind that stood more than three times, the
  // worst, and how often.
  std::vector<watch::ActiveFinding> all() const;

  std::vector<std::string> sources() const;
  // Absent: nothing was told of that source.
  std::optional<Throughput> throughput(std::string_view source) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace batchscope::training
