#include "random.hpp"

#include <algorithm>
#include <cmath>

namespace batchscope::trace_simulator {

double Random::uniform(double low, double high) {
  return low + (high - low) * (static_cast<double>(engine_() >> 11U) * 0x1.0p-53);
}

double Random::log_uniform(double low, double high) {
  return std::exp(uniform(std::log(low), std::log(high)));
}

int Random::full(int low, int high) {
  return std::min(high, low + static_cast<int>(uniform(0, high - low + 1)));
}

int64_t Random::around(double median, double spread) {
  constexpr double kTwoPi = 6.283185307179586;
  const double normal =
      std::sqrt(-2 * std::log(1 - uniform(0, 1))) * std::cos(kTwoPi * uniform(0, 1));
  return std::max<int64_t>(1, std::llround(median * std::exp(spread * normal)));
}

}  // namespace batchscope::trace_simulator
