#include "batchscope/planning/arrivals.hpp"

#include <cmath>

#include "batchscope/stats/rng.hpp"

namespace batchscope::planning {
namespace {

double exponential(stats::Rng& rng, double mean) {
  return -mean * std::log1p(-rng.uniform());
}

struct Draw {
  double rate;
  std::size_t count;
  stats::Rng& rng;

  std::vector<Arrival> operator()(const PoissonArrivals&) const {
    std::vector<Arrival> arrivals(count);
    double now = 0;
    for (Arrival& arrival : arrivals) arrival.time_s = now += exponential(rng, 1 / rate);
    return arrivals;
  }

  // Both times are memoryless, so whichever comes first is drawn anew after each event.
  std::vector<Arrival> operator()(const BurstyArrivals& law) const {
    const double calm_rate = rate * (1 - law.factor * law.share) / (1 - law.share);
    const double calm_s = law.burst_s * (1 - law.share) / law.share;
    bool burst = rng.uniform() < law.share;
    double now = 0, change = exponential(rng, burst ? law.burst_s : calm_s);
    std::vector<Arrival> arrivals;
    arrivals.reserve(count);
    while (arrivals.size() < count) {
      const double state_rate = burst ? law.factor * rate : calm_rate;
      const double next = state_rate > 0 ? now + exponential(rng, 1 / state_rate)
                                         : std::numeric_limits<double>::infinity();
      if (next < change) {
        arrivals.push_back({.time_s = now = next});
        continue;
      }
      now = change;
      burst = !burst;
      change = now + exponential(rng, burst ? law.burst_s : calm_s);
    }
    return arrivals;
  }

  std::vector<Arrival> operator()(const RecordedArrivals& law) const {
    const double segment = law.rate_per_s() / rate;
    const std::size_t n = law.times_s.size();
    // One mean gap between the last request and the first of the next turn.
    const double span = static_cast<double>(n) / law.rate_per_s();
    std::vector<Arrival> arrivals(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t turn = i / n;
      arrivals[i].time_s =
          (span * static_cast<double>(turn) + law.times_s[i % n] - law.times_s.front()) * segment;
      if (!law.tokens.empty()) arrivals[i].tokens = law.tokens[i % n];
    }
    return arrivals;
  }
};

bool has_lengths(const ArrivalProcess& process) {
  const auto* recorded = std::get_if<RecordedArrivals>(&process.law);
  return recorded != nullptr && !recorded->tokens.empty();
}

}  // namespace

double RecordedArrivals::rate_per_s() const {
  return static_cast<double>(times_s.size() - 1) / (times_s.back() - times_s.front());
}

std::vector<Arrival> draw_arrivals(const ArrivalProcess& process, double rate_per_s,
                                   std::size_t count, const std::vector<int64_t>& lengths,
                                   uint64_t seed) {
  stats::Rng times(stats::mix_seed(seed, 1)), sizes(stats::mix_seed(seed, 2));
  std::vector<Arrival> arrivals = std::visit(Draw{rate_per_s, count, times}, process.law);
  if (lengths.empty() || has_lengths(process)) return arrivals;
  for (Arrival& arrival : arrivals) {
    arrival.tokens = lengths[static_cast<std::size_t>(sizes.below(lengths.size()))];
  }
  return arrivals;
}

}  // namespace batchscope::planning
