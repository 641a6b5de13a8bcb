// What timing an iteration costs: the harness's timed loop against the same calls in a bare loop.

#include <fmt/format.h>

#include <chrono>

#include "batchscope/measure/loop.hpp"
#include "pairs.hpp"

namespace {

using namespace batchscope;

// A fixed number of dependent multiplications: the same work every time, nothing the clock
// disturbs.
class SpinModel final : public engine::Model {
 public:
  explicit SpinModel(int64_t steps) : steps_(steps) {}

  base::Result<std::unique_ptr<engine::Batch>> prepare(const schema::Shape&) override {
    return std::make_unique<engine::Batch>();
  }
  base::Result<void> run(engine::Batch&, engine::PhaseSink& sink) override {
    sink.enter("forward");
    for (int64_t i = 0; i < steps_; ++i)
      state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    sink.phase("forward", 0, std::nullopt);
    return {};
  }
  base::Result<void> wait(engine::PhaseSink&) override { return {}; }
  void reset_memory_peaks() override {}
  schema::Memory memory() const override { return {}; }
  uint64_t state() const { return state_; }

 private:
  int64_t steps_;
  uint64_t state_ = 1;
};

class NoSink final : public engine::PhaseSink {
 public:
  void phase(std::string_view, int64_t, std::optional<int64_t>) override {}
};

bench::PairedTimes compare(int64_t steps, int iterations, int pairs) {
  SpinModel model(steps);
  const auto batch = *model.prepare({});
  measure::TimedRule rule;
  rule.fixed = iterations;
  NoSink nothing;
  measure::PhaseTable phases;
  measure::TimedSeries series;
  series.samples_ns.reserve(static_cast<size_t>(iterations));
  const auto harness = [&] {
    series.samples_ns.clear();
    phases.reset();
    static_cast<void>(
        measure::run_timed_each(model, *batch, phases, engine::steady_clock(), rule, {}, series));
  };
  const auto bare = [&] {
    for (int i = 0; i < iterations; ++i) static_cast<void>(model.run(*batch, nothing));
  };
  harness();
  bare();
  return bench::time_pairs(pairs, iterations, harness, bare);
}

void print(const char* name, const bench::PairedTimes& times) {
  fmt::print("| {} | {:.1f} [{:.1f}, {:.1f}] | {:.4f} [{:.4f}, {:.4f}] | {} |\n", name,
             times.difference_ns, times.difference_low, times.difference_high, times.ratio,
             times.ratio_low, times.ratio_high, times.pairs);
}

}  // namespace

int main() {
  fmt::print("## Harness overhead: timed loop against the same calls in a bare loop\n\n");
  fmt::print(
      "| iterations of | overhead, ns an iteration (95 %) | ratio (95 %) | pairs "
      "|\n|---|---|---|---|\n");
  print("about 1 us", compare(800, 20'000, 60));
  print("about 100 us", compare(80'000, 500, 40));
  print("about 20 ms", compare(16'000'000, 5, 30));
  fmt::print("\nTarget: at most 200 ns an iteration; nothing measurable at 20 ms.\n\n");
  return 0;
}
