#pragma once

#include <cstdint>
#include <memory>
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

// A loop that tells its steps, and who judges them.
struct Source {
  StepWindow window;
  Totals totals;
  std::vector<std::unique_ptr<Rule>> rules;
};

}  // namespace batchscope::training
