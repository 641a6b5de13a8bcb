#include "batchscope/tune/goal.hpp"

namespace batchscope::tune {

std::optional<double> probability_of(LatencyStatistic statistic) {
  if (statistic == LatencyStatistic::mean) return std::nullopt;
  return static_cast<double>(statistic) / static_cast<double>(LatencyStatistic::other);
}

double cost_of_a_million(double price_per_hour, double rate) {
  constexpr double kSecondsAnHour = 3600, kMillion = 1e6;
  return price_per_hour / kSecondsAnHour / rate * kMillion;
}

}  // namespace batchscope::tune
