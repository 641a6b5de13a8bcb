#include "series/series.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/base/characters.hpp"

namespace batchscope::monitor_report {

void MinMeanMax::take(double value, double weighs) {
  low = std::min(low, value);
  high = std::max(high, value);
  sum += value * weighs;
  weight += weighs;
  ++count;
}

void MinMeanMax::take(const MinMeanMax& other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
  sum += other.sum;
  weight += other.weight;
  count += other.count;
}

MinMeanMax Series::all() const {
  MinMeanMax all;
  for (const MinMeanMax& spread : spreads) all.take(spread);
  return all;
}

std::string short_name(const std::string& name) {
  constexpr size_t kLongest = 40;
  return base::shorten(base::clean(name), kLongest);
}

std::vector<MinMeanMax> min_mean_max_of(const TimeAxis& clock, const ValueAt& value,
                                        const WeightAt& weight) {
  std::vector<MinMeanMax> spreads;
  spreads.reserve(clock.rows.size());
  for (const Row& row : clock.rows) {
    MinMeanMax& spread = spreads.emplace_back();
    for (size_t i = row.first; i < row.last; ++i) {
      const std::optional<double> one = value(i);
      if (one && std::isfinite(*one)) spread.take(*one, weight(i));
    }
  }
  return spreads;
}

}  // namespace batchscope::monitor_report
