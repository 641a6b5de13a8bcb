#pragma once

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
    ++steps;
    seconds += step.seconds;
    if (!step.batch_size) return;
    samples += static_cast<double>(*step.batch_size);
    seconds_of_samples += step.seconds;
  }
};

// Numbers of steps that each epoch counts anew, made one count.
class StepNumbers {
 public:
  // Nothing where the loop was restarted: the number went back, and not as twice in a row at the
  // end of an epoch.
  std::optional<int64_t> next(int64_t step) {
    const bool goes_back = last_ && step < *last_;
    bool is_epoch = false;
    if (goes_back) {
      is_epoch = epoch_first_ == step && epoch_last_ == *last_;
      before_ = is_epoch || epochs_ == 0 ? before_ + *last_ + 1 - step : 0;
      epochs_ = is_epoch ? epochs_ + 1 : 0;
      epoch_first_ = step;
      epoch_last_ = *last_;
    }
    last_ = step;
    if (goes_back && !is_epoch) return std::nullopt;
    return epochs_ > 0 ? before_ + step : step;
  }

 private:
  std::optional<int64_t> last_, epoch_first_, epoch_last_;
  int64_t epochs_ = 0;  // known to be
  int64_t before_ = 0;  // steps of them
};

// A loop that tells its steps, and who judges them.
struct Source {
  StepWindow window;
  Totals totals;
  StepNumbers numbers;
  std::vector<std::unique_ptr<Rule>> rules;
};

}  // namespace batchscope::training
