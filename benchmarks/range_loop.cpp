#include "range_loop.hpp"

#include <cstdint>
#include <vector>

#include "batchscope/ranges/nvtx.hpp"
#include "batchscope/ranges/profiler.hpp"
#include "spin.hpp"

namespace batchscope::bench {
namespace {

class RecordedLoop final : public RangeLoop {
 public:
  void run(int turns) override {
    for (int i = 0; i < turns; ++i) {
      const ranges::Range range = profiler_.range("forward");
      spin_.work();
    }
    profiler_.take(taken_);
  }

 private:
  ranges::Profiler profiler_;
  std::vector<ranges::RangeRecord> taken_;
  Spin spin_;
};

// As an iteration is shown.
class ShownLoop final : public RangeLoop {
 public:
  void run(int turns) override {
    for (int i = 0; i < turns; ++i) {
      [[maybe_unused]] const ranges::nvtx::ScopedRange range("iteration");
      spin_.work();
    }
  }

 private:
  Spin spin_;
};

}  // namespace

std::unique_ptr<RangeLoop> BATCHSCOPE_RECORDED_LOOP() {
  return std::make_unique<RecordedLoop>();
}

std::unique_ptr<RangeLoop> BATCHSCOPE_SHOWN_LOOP() {
  return std::make_unique<ShownLoop>();
}

}  // namespace batchscope::bench
