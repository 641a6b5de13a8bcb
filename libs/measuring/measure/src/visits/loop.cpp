#include "batchscope/measure/loop.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "batchscope/ranges/nvtx.hpp"

namespace batchscope::measure {
namespace {

using base::Result;

constexpr int kSeries = 3;  // of sync end, and the fewest cycles of variable-length input

// The means (of two, the medians) of the last two pairs agree.
bool pairs_agree(const std::vector<int64_t>& times, double agreement) {
  const std::size_t n = times.size();
  const auto last = static_cast<double>(times[n - 1] + times[n - 2]);
  const auto before = static_cast<double>(times[n - 3] + times[n - 4]);
  return std::abs(last - before) <= agreement * std::min(last, before);
}

// `means`: of an iteration, over each cycle of batches.
bool is_warm(const WarmupRule& rule, const std::vector<int64_t>& means, int64_t cycle,
             int64_t total_ns) {
  const auto n = static_cast<int64_t>(means.size()) * cycle;
  if (rule.fixed) return n >= *rule.fixed;
  if (n < std::max(rule.at_least, 2)) return false;
  if (means.back() >= rule.long_ns || n >= rule.at_most || total_ns >= rule.at_most_ns) return true;
  return means.size() >= 4 && means.size() % 2 == 0 && pairs_agree(means, rule.agreement);
}

// The rule for samples that are a whole cycle of batches each.
TimedRule in_cycles(TimedRule rule, int64_t cycle) {
  rule.at_least = kSeries;
  if (rule.fixed) {
    const int64_t cycles = (*rule.fixed + cycle - 1) / cycle;
    rule.fixed = static_cast<int>(std::max<int64_t>(cycles, kSeries));
  }
  return rule;
}

bool is_enough(const TimedRule& rule, int64_t amortised_ns, int64_t n, int64_t elapsed_ns) {
  if (rule.fixed) return n >= *rule.fixed;
  if (n < rule.at_least || elapsed_ns < rule.at_least_ns) return false;
  return elapsed_ns >= amortised_ns || n >= rule.enough;
}

// Ends before the iteration does, whatever ends that.
class ShownPhases {
 public:
  explicit ShownPhases(engine::PhaseSink& sink) : sink_(sink) {}
  ~ShownPhases() {
    if (ranges::nvtx::attached()) sink_.leave();
  }

 private:
  engine::PhaseSink& sink_;
};

// Writes to the memory once, so that no page of it is first touched between two iterations.
void make_room(std::vector<int64_t>& samples, int64_t wanted) {
  constexpr int64_t kMost = 4'000'000;
  samples.assign(static_cast<std::size_t>(std::clamp<int64_t>(2 * wanted, 64, kMost)), 0);
  samples.clear();
}

// run_timed_each where one sample has to see all batches of the cycle.
Result<void> run_timed_cycles(engine::Model& model, engine::Batch& batch, engine::PhaseSink& sink,
                              const engine::Clock& clock, const TimedRule& iterations,
                              const TimedAim& aim, TimedSeries& series) {
  const int64_t cycle = batch.cycle();
  const TimedRule rule = in_cycles(iterations, cycle);
  std::vector<int64_t>& samples = series.samples_ns;
  make_room(samples, wanted_iterations(rule, {aim.amortised_ns, cycle * aim.expected_ns}));
  series.iterations_per_sample = cycle;
  const int64_t start = clock.now_ns();
  int64_t before = start;
  while (true) {
    for (int64_t i = 0; i < cycle; ++i) {
      if (auto ran = iterate(model, batch, sink); !ran) return ran;
    }
    const int64_t now = clock.now_ns();
    const double mean = static_cast<double>(now - before) / static_cast<double>(cycle);
    samples.push_back(std::llround(mean));
    const auto n = static_cast<int64_t>(samples.size());
    if (is_enough(rule, aim.amortised_ns, n, now - start)) return {};
    before = now;
  }
}

}  // namespace

Result<void> iterate(engine::Model& model, engine::Batch& batch, engine::PhaseSink& sink) {
  const ranges::nvtx::ScopedRange shown("iteration");
  const ShownPhases phases(sink);
  return model.run(batch, sink);
}

int64_t wanted_iterations(const TimedRule& rule, const TimedAim& aim) {
  if (rule.fixed) return *rule.fixed;
  const int64_t expected = std::max<int64_t>(aim.expected_ns, 1);
  const auto lasting = [expected](int64_t ns) { return (ns + expected - 1) / expected; };
  const int64_t amortised = std::min(lasting(aim.amortised_ns), rule.enough);
  if (aim.expected_ns <= 0) return rule.at_least;
  return std::max({static_cast<int64_t>(rule.at_least), lasting(rule.at_least_ns), amortised});
}

Result<std::vector<int64_t>> run_warmup(engine::Model& model, engine::Batch& batch,
                                        engine::PhaseSink& sink, const engine::Clock& clock,
                                        const WarmupRule& rule, bool wait_each) {
  const ranges::nvtx::ScopedRange shown("warm-up");
  const int64_t cycle = batch.cycle();
  std::vector<int64_t> times, means;
  times.reserve(static_cast<std::size_t>(16 * cycle));
  means.reserve(16);
  const int64_t start = clock.now_ns();
  int64_t before = start;
  while (!is_warm(rule, means, cycle, before - start)) {
    const int64_t cycle_start = before;
    for (int64_t i = 0; i < cycle; ++i) {
      if (auto ran = iterate(model, batch, sink); !ran) return ran.error();
      if (!wait_each) {
        if (auto waited = model.wait(sink); !waited) return waited.error();
      }
      const int64_t now = clock.now_ns();
      times.push_back(now - before);
      before = now;
    }
    means.push_back((before - cycle_start) / cycle);
  }
  return times;
}

Result<void> run_timed_each(engine::Model& model, engine::Batch& batch, engine::PhaseSink& sink,
                            const engine::Clock& clock, const TimedRule& rule, const TimedAim& aim,
                            TimedSeries& series) {
  if (batch.cycle() > 1) return run_timed_cycles(model, batch, sink, clock, rule, aim, series);
  std::vector<int64_t>& samples = series.samples_ns;
  make_room(samples, wanted_iterations(rule, aim));
  series.iterations_per_sample = 1;
  const int64_t start = clock.now_ns();
  int64_t before = start;
  while (true) {
    const auto ran = iterate(model, batch, sink);
    const int64_t now = clock.now_ns();
    if (!ran) return ran.error();
    samples.push_back(now - before);
    const auto n = static_cast<int64_t>(samples.size());
    if (is_enough(rule, aim.amortised_ns, n, now - start)) return {};
    before = now;
  }
}

Result<void> run_timed_end(engine::Model& model, engine::Batch& batch, engine::PhaseSink& sink,
                           const engine::Clock& clock, const TimedRule& rule, const TimedAim& aim,
                           TimedSeries& series) {
  const int64_t wanted = wanted_iterations(rule, aim);
  const int64_t cycle = batch.cycle();
  const int64_t a_series = std::max<int64_t>((wanted + kSeries - 1) / kSeries, 1);
  const int64_t length = (a_series + cycle - 1) / cycle * cycle;
  series.iterations_per_sample = length;
  series.samples_ns.clear();
  for (int64_t s = 0; s < kSeries; ++s) {
    const int64_t start = clock.now_ns();
    for (int64_t i = 0; i < length; ++i) {
      if (auto ran = iterate(model, batch, sink); !ran) return ran;
    }
    if (auto waited = model.wait(sink); !waited) return waited;
    const auto total = static_cast<double>(clock.now_ns() - start);
    series.samples_ns.push_back(std::llround(total / static_cast<double>(length)));
  }
  return {};
}

}  // namespace batchscope::measure
