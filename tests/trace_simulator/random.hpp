#pragma once

#include <cstdint>
#include <random>

namespace batchscope::trace_simulator {

// Draws that are the same with every standard library, which its own distributions are not.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high);
  double log_uniform(double low, double high);
  int full(int low, int high);  // both included
  bool chance(double probability) { return uniform(0, 1) < probability; }
  // Log-normal around the median, at least 1.
  int64_t around(double median, double spread);

 private:
  std::mt19937_64 engine_;
};

}  // namespace batchscope::trace_simulator
