#pragma once

#include <cstdint>

namespace batchscope::bench {

// Dependent multiplications between the ranges, which the optimiser keeps.
class Spin {
 public:
  void work() {
    for (int i = 0; i < 100; ++i) state_ = state_ * 6364136223846793005u + 1442695040888963407u;
  }
  uint64_t state() const { return state_; }

 private:
  uint64_t state_ = 1;
};

}  // namespace batchscope::bench
