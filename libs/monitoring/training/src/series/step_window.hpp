#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "batchscope/telemetry/sample.hpp"

namespace batchscope::training {

// What rules look at of a step.
struct StepFact {
  int64_t index = 0;  // of the steps of its source, from 0
  int64_t step = 0, time_ns = 0;
  double seconds = 0;
  std::optional<int64_t> batch_size;
  std::optional<double> loading_seconds;
  bool first_of_size = false;  // no step before it had that batch size
  int64_t before = 0;    // steps of its source before it, those between that are not told included
  int64_t replaces = 1;  // of them
  double full_seconds = 0;  // of those
};

// The last steps of a source.
class StepWindow {
 public:
  static constexpr std::size_t kSteps = 1024;

  void add(const telemetry::TrainingStep& step);
  // One that says nothing of times; it has its number among the others.
  void pass_over(const telemetry::TrainingStep& step);
  // The loop was restarted: what was before says nothing of what comes.
  void restart();

  const std::deque<StepFact>& facts() const { return facts_; }
  // Of those facts; where there are none, the last that was passed over.
  const StepFact& last() const { return last_; }
  int64_t count() const { return count_; }  // of all, also those that are gone
  // Of the last `most`, the oldest first.
  std::vector<double> seconds(std::size_t most) const;
  double typical_seconds(std::size_t most) const;

 private:
  static constexpr std::size_t kMostSizes = 1024;

  std::deque<StepFact> facts_;
  StepFact last_;
  std::set<int64_t> sizes_;  // of batches, ever
  int64_t count_ = 0, steps_ = 0;
};

// Medians of what is absent in none: nothing where it is absent in most.
std::optional<double> median_batch(std::span<const StepFact> facts);

}  // namespace batchscope::training
