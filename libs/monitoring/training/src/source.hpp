#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "batchscope/telemetry/sample.hpp"
#include "rules/rule.hpp"
#include "series/step_window.hpp"

namespace batchscope::training {

// Of all steps of a source.
struct Totals {
  int64_t steps = 0;
  double seconds = 0;
  double samples = 0, seconds_of_samples = 0;

  void add(const telemetry::TrainingStep& step) {
    steps += step.replaces;
    seconds += step.full_seconds();
    if (!step.batch_size) return;
    samples += static_cast<double>(*step.batch_size);
    seconds_of_samples += step.seconds;
  }
};

// The losses that a count of steps begins and goes on with.
class LossesOfCount {
 public:
  // Whether a loss is nearer to those of the begin than to the last ones, and those are apart: the
  // training begins anew.
  bool begins_anew(const std::optional<double>& loss) const;
  void add(const std::optional<double>& loss);
  void clear();

 private:
  static constexpr std::size_t kMostFirst = 4, kMostLast = 16;

  std::vector<double> first_, last_;
};

// Numbers of steps that each epoch counts anew, made one count.
class StepNumbers {
 public:
  // Nothing where the loop was restarted: the number went back, and not as twice in a row at the
  // end of an epoch, or the loss went back too.
  std::optional<int64_t> next(const telemetry::TrainingStep& step);

 private:
  std::optional<int64_t> last_, epoch_first_, epoch_last_;
  int64_t epochs_ = 0;  // known to be
  int64_t before_ = 0;  // steps of them
  LossesOfCount losses_;
};

// A loop that tells its steps, and who judges them.
struct Source {
  StepWindow window;
  Totals totals;
  double longest_gap_seconds = 0;  // ever, from one step to the next
  StepNumbers numbers;
  std::vector<std::unique_ptr<Rule>> rules;
};

}  // namespace batchscope::training
