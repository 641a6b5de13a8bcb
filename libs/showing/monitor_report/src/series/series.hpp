#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "series/clock.hpp"

namespace batchscope::monitor_report {

// What several readings had: nothing, where none of them had a value.
struct MinMeanMax {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double sum = 0, weight = 0;
  size_t count = 0;

  double mean() const { return sum / weight; }
  void take(double value, double weighs = 1);
  void take(const MinMeanMax& other);
};

// One value of each reading: "GPU 0".
struct Series {
  std::string name;                 // untrusted
  size_t clock = 0;                 // which of the recording's
  std::vector<MinMeanMax> spreads;  // of each row
  MinMeanMax all() const;
};

// A name as charts and tables have room for it.
std::string short_name(const std::string& name);

// By the number of the reading; what is not finite is no value. A mean is weighted, where values
// are of stretches that differ in length.
using ValueAt = std::function<std::optional<double>(size_t)>;
using WeightAt = std::function<double(size_t)>;
std::vector<MinMeanMax> min_mean_max_of(
    const TimeAxis& clock, const ValueAt& value,
    const WeightAt& weight = [](size_t) { return 1.0; });

}  // namespace batchscope::monitor_report
