// What a range costs: a loop with ranges against the same loop without.

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "batchscope/record/profiler.hpp"
#include "pairs.hpp"

namespace {

using namespace batchscope;

constexpr int kRanges = 20'000;

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

template <class WithRange>
void compare(std::string_view what, const record::ProfilerOptions& options, int ranges, int pairs,
             WithRange with_range) {
  record::Profiler profiler(options);
  std::vector<record::RangeRecord> taken;
  Spin spin;
  const auto recorded = [&] {
    for (int i = 0; i < ranges; ++i) with_range(profiler, spin);
  };
  const auto bare = [&] {
    for (int i = 0; i < ranges; ++i) spin.work();
  };
  // Emptied between the pairs' calls only where the buffer would grow for ever.
  const auto emptied = [&] {
    recorded();
    profiler.take(taken);
  };
  emptied();
  bare();
  const auto times = bench::time_pairs(pairs, ranges, emptied, bare);
  fmt::print("| {} | {:.1f} [{:.1f}, {:.1f}] | {} |\n", what, times.difference_ns,
             times.difference_low, times.difference_high, times.pairs);
  if (spin.state() == 0) fmt::print("\n");
}

}  // namespace

int main() {
  fmt::print("## Ranges: a loop with them against the same loop without\n\n");
  fmt::print("| of | cost of a range, ns (95 %) | pairs |\n|---|---|---|\n");
  compare("`Range`, one name", {}, kRanges, 60, [](record::Profiler& profiler, Spin& spin) {
    const record::Range range = profiler.range("forward");
    spin.work();
  });
  compare("`begin` and `end`", {}, kRanges, 60, [](record::Profiler& profiler, Spin& spin) {
    profiler.begin("forward");
    spin.work();
    profiler.end();
  });
  compare("`Range` inside another, two names", {}, kRanges, 60,
          [](record::Profiler& profiler, Spin& spin) {
            const record::Range outer = profiler.range("iteration");
            const record::Range inner = profiler.range("forward");
            spin.work();
          });
  compare("`Range` with memory", {.memory = true}, kRanges / 20, 20,
          [](record::Profiler& profiler, Spin& spin) {
            const record::Range range = profiler.range("forward");
            spin.work();
          });
  fmt::print(
      "\nTwo readings of the clock are in it, and taking the records out; the third row has two "
      "ranges a turn. Target: at most 200 ns a range without memory.\n\n");
  return 0;
}
