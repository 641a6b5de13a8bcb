#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/training/step_watch.hpp"

namespace batchscope::training {

// One loop, whose steps are made here.
class Watched : public testing::Test {
 protected:
  telemetry::TrainingStep next(double seconds = 0.1) {
    telemetry::TrainingStep step;
    step.source = "a";
    step.step = ++step_;
    step.seconds = seconds;
    step.time_ns = now_ += static_cast<int64_t>(seconds * 1e9);
    return step;
  }
  void make(int steps, double seconds = 0.1) {
    for (int i = 0; i < steps; ++i) watch_.add(next(seconds));
  }
  void make_at_rate(int steps, double learning_rate) {
    for (int i = 0; i < steps; ++i) {
      auto step = next();
      step.learning_rate = learning_rate;
      watch_.add(step);
    }
  }

  StepWatch watch_;
  int64_t step_ = 0, now_ = 0;
};

inline std::vector<std::string> sentences(const std::vector<watch::ActiveFinding>& all) {
  std::vector<std::string> reported;
  for (const auto& one : all) reported.push_back(one.finding.what);
  return reported;
}

}  // namespace batchscope::training
