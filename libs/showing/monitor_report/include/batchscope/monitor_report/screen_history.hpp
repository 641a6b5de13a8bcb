#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/telemetry/sample.hpp"

namespace batchscope::monitor_report {

// A number over time, the oldest first; absent where it was not said.
using Curve = std::vector<std::optional<double>>;

// How fast a training loop goes, over its last steps.
struct TrainingPace {
  telemetry::TrainingStep last;
  double step_seconds = 0;  // mean
  std::optional<double> samples_per_second;
  std::optional<double> loading_ratio;  // of the time, waiting for batches
};

// The last samples and steps, as far as the screen draws them; bounded however long it runs.
class ScreenHistory {
 public:
  static constexpr std::size_t kSamples = 120, kSteps = 32, kLoops = 8;

  void add(const telemetry::Sample& sample);
  void add(const telemetry::TrainingStep& step);

  // Between the first and the last sample that is kept.
  double seconds() const;
  // At most `columns` points, each the mean of as many samples, so that a curve moves by whole
  // points and does not shimmer.
  Curve cpu_busy(std::size_t columns) const;
  Curve gpu_busy(std::string_view gpu, std::size_t columns) const;
  // By the name of the loop; at most kLoops, those that told last.
  std::vector<TrainingPace> training() const;

 private:
  struct Moment {
    int64_t time_ns = 0;
    std::optional<double> cpu_busy;
    std::map<std::string, double, std::less<>> gpu_busy;
  };
  using Steps = std::deque<telemetry::TrainingStep>;

  template <class Value>
  Curve curve(std::size_t columns, const Value& value_of) const;

  std::deque<Moment> moments_;
  std::size_t forgotten_ = 0;  // samples that are not kept any more
  std::map<std::string, Steps, std::less<>> loops_;
};

}  // namespace batchscope::monitor_report
