#include "batchscope/tune/goal.hpp"

namespace batchscope::tune {

double cost_of_a_million(double price_per_hour, double rate) {
  constexpr double kSecondsAnHour = 3600, kMillion = 1e6;
  return price_per_hour / kSecondsAnHour / rate * kMillion;
}

}  // namespace batchscope::tune
