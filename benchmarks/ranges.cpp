// What a range costs: a loop with ranges against the same loop without, and what it costs that a
// profiler could be told of it.

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "batchscope/ranges/profiler.hpp"
#include "pairs.hpp"
#include "range_loop.hpp"
#include "spin.hpp"

namespace {

using namespace batchscope;
using bench::Spin;

constexpr int kRanges = 20'000;

template <class WithRange>
void compare(std::string_view what, const ranges::ProfilerOptions& options, int ranges, int pairs,
             WithRange with_range) {
  ranges::Profiler profiler(options);
  std::vector<ranges::RangeRecord> taken;
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

void compare_reported(std::string_view what, bench::RangeLoop& with, bench::RangeLoop& without) {
  constexpr int kTurns = 500, kPairs = 4'000;  // short, so that few are interrupted
  const auto run_with = [&] { with.run(kTurns); };
  const auto run_without = [&] { without.run(kTurns); };
  run_with();
  run_without();
  const auto times = bench::time_pairs(kPairs, kTurns, run_with, run_without);
  fmt::print("| {} | {:.0f} | {:.4f} [{:.4f}, {:.4f}] | {:.2f} [{:.2f}, {:.2f}] | {} |\n", what,
             times.b_ns / kTurns, times.ratio, times.ratio_low, times.ratio_high,
             times.difference_ns, times.difference_low, times.difference_high, times.pairs);
}

void compare_with_nvtx() {
  fmt::print(
      "## NVTX ranges while no tool is attached: a loop that has them against one that has "
      "none\n\n");
  fmt::print(
      "| of | a turn without, ns | ratio (95 %) | cost of a range, ns (95 %) | pairs |\n"
      "|---|---|---|---|---|\n");
  compare_reported("a recorded `Range`, which shows itself", *bench::recorded_with_nvtx(),
                   *bench::recorded_without_nvtx());
  compare_reported("`ranges::nvtx::Range`, as around every iteration", *bench::shown_with_nvtx(),
                   *bench::shown_without_nvtx());
  fmt::print(
      "\nBoth loops are of one program; the one without is compiled with a range for NVTX that is "
      "nothing. Target: nothing measurable.\n\n");
}

}  // namespace

int main() {
  fmt::print("## Ranges: a loop with them against the same loop without\n\n");
  fmt::print("| of | cost of a range, ns (95 %) | pairs |\n|---|---|---|\n");
  compare("`Range`, one name", {}, kRanges, 60, [](ranges::Profiler& profiler, Spin& spin) {
    const ranges::Range range = profiler.range("forward");
    spin.work();
  });
  compare("`begin` and `end`", {}, kRanges, 60, [](ranges::Profiler& profiler, Spin& spin) {
    profiler.begin("forward");
    spin.work();
    profiler.end();
  });
  compare("`Range` inside another, two names", {}, kRanges, 60,
          [](ranges::Profiler& profiler, Spin& spin) {
            const ranges::Range outer = profiler.range("iteration");
            const ranges::Range inner = profiler.range("forward");
            spin.work();
          });
  compare("`Range` with memory", {.memory = true}, kRanges / 20, 20,
          [](ranges::Profiler& profiler, Spin& spin) {
            const ranges::Range range = profiler.range("forward");
            spin.work();
          });
  fmt::print(
      "\nTwo readings of the clock are in it, and taking the records out; the third row has two "
      "ranges a turn. Target: at most 200 ns a range without memory.\n\n");
  compare_with_nvtx();
  return 0;
}
