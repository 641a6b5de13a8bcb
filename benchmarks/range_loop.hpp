#pragma once

#include <memory>

namespace batchscope::bench {

// Turns with a range around each and some work inside.
class RangeLoop {
 public:
  virtual ~RangeLoop() = default;
  virtual void run(int turns) = 0;
};

// range_loop.cpp twice: as it is, and with benchmarks/without_nvtx in the place of
// libs/foundation/ranges.
std::unique_ptr<RangeLoop> recorded_with_nvtx();
std::unique_ptr<RangeLoop> recorded_without_nvtx();
std::unique_ptr<RangeLoop> shown_with_nvtx();
std::unique_ptr<RangeLoop> shown_without_nvtx();

}  // namespace batchscope::bench
