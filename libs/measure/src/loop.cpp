#include "batchscope/measure/loop.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace batchscope::measure {
namespace {

using base::Result;

constexpr int64_t kSeries = 3;  // of sync end

// The means (of two, the medians) of the last two pairs agree.
bool pairs_agree(const std::vector<int64_t>& times, double agreement) {
  const std::size_t n = times.size();
  const auto last = static_cast<double>(times[n - 1] + times[n - 2]);
  const auto before = static_cast<double>(times[n - 3] + times[n - 4]);
  return std::abs(last - before) <= agreement * std::min(last, before);
}

bool is_warm(const WarmupRule& rule, const std::vector<int64_t>& times, int64_t total_ns) {
  const auto n = static_cast<int>(times.size());
  if (rule.fixed) return n >= *rule.fixed;
  if (n < std::max(rule.at_least, 2)) return false;
  if (times.back() >= rule.long_ns || n >= rule.at_most || total_ns >= rule.at_most_ns) return true;
  return n >= 4 && n % 2 == 0 && pairs_agree(times, rule.agreement);
}

bool is_enough(const TimedRule& rule, int64_t amortised_ns, int64_t n, int64_t elapsed_ns) {
  if (rule.fixed) return n >= *rule.fixed;
  if (n < rule.at_least || elapsed_ns < rule.at_least_ns) return false;
  return elapsed_ns >= amortised_ns || n >= rule.enough;
}

int64_t wanted_iterations(const TimedRule& rule, const TimedAim& aim) {
  if (rule.fixed) return *rule.fixed;
  const int64_t expected = std::max<int64_t>(aim.expected_ns, 1);
  const auto lasting = [expected](int64_t ns) { return (ns + expected - 1) / expected; };
  const int64_t amortised = std::min(lasting(aim.amortised_ns), rule.enough);
  if (aim.expected_ns <= 0) return rule.at_least;
  return std::max({static_cast<int64_t>(rule.at_least), lasting(rule.at_least_ns), amortised});
}

// Writes to the memory once, so that no page of it is first touched between two iterations.
void make_room(std::vector<int64_t>& samples, int64_t wanted) {
  constexpr int64_t kMost = 4'000'000;
  samples.assign(static_cast<std::size_t>(std::clamp<int64_t>(2 * wanted, 64, kMost)), 0);
  samples.clear();
}

}  // namespace

Result<std::vector<int64_t>> run_warmup(engine::Model& model, engine::Batch& batch,
                                        engine::PhaseSink& sink, const engine::Clock& clock,
                                        const WarmupRule& rule, bool wait_each) {
  std::vector<int64_t> times;
  times.reserve(16);
  const int64_t start = clock.now_ns();
  int64_t before = start;
  while (!is_warm(rule, times, before - start)) {
    if (auto ran = model.run(batch, sink); !ran) return ran.error();
    if (!wait_each) {
      if (auto waited = model.wait(sink); !waited) return waited.error();
    }
    const int64_t now = clock.now_ns();
    times.push_back(now - before);
    before = now;
  }
  return times;
}

Result<void> run_timed_each(engine::Model& model, engine::Batch& batch, engine::PhaseSink& sink,
                            const engine::Clock& clock, const TimedRule& rule, const TimedAim& aim,
                            TimedSeries& series) {
  std::vector<int64_t>& samples = series.samples_ns;
  make_room(samples, wanted_iterations(rule, aim));
  series.iterations_per_sample = 1;
  const int64_t start = clock.now_ns();
  int64_t before = start;
  while (true) {
    const auto ran = model.run(batch, sink);
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
  const int64_t length = std::max<int64_t>((wanted + kSeries - 1) / kSeries, 1);
  series.iterations_per_sample = length;
  series.samples_ns.clear();
  for (int64_t s = 0; s < kSeries; ++s) {
    const int64_t start = clock.now_ns();
    for (int64_t i = 0; i < length; ++i) {
      if (auto ran = model.run(batch, sink); !ran) return ran;
    }
    if (auto waited = model.wait(sink); !waited) return waited;
    const auto total = static_cast<double>(clock.now_ns() - start);
    series.samples_ns.push_back(std::llround(total / static_cast<double>(length)));
  }
  return {};
}

}  // namespace batchscope::measure
