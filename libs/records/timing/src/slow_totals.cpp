#include "slow_totals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/timing/steady_visit.hpp"

namespace batchscope::timing {
namespace {

// The standard deviation of one of two over the median distance between them, where normal.
constexpr double kSdOfStep = 1.048;

// Distances of iterations so many apart, ln units.
std::vector<double> steps_of(const std::vector<std::span<const int64_t>>& series,
                             std::size_t apart) {
  std::vector<double> steps;
  for (const auto samples : series) {
    for (std::size_t i = apart; i < samples.size(); ++i) {
      const auto ns = static_cast<double>(samples[i]);
      steps.push_back(std::abs(std::log(ns / static_cast<double>(samples[i - apart]))));
    }
  }
  return steps;
}

// Whether one was met at about this place.
bool meets_at(const SeenIterations& seen, std::size_t index) {
  const std::size_t off = 1 + index / 10;
  return std::any_of(seen.slow.begin(), seen.slow.end(), [&](const Slow& slow) {
    return slow.index <= index + off && index <= slow.index + off;
  });
}

double sum_of(const SeenIterations& seen) {
  double sum = 0;
  for (const Slow& slow : seen.slow) sum += slow.excess;
  return sum;
}

void add(SlowTotals& totals, const SeenIterations& seen) {
  totals.iterations += static_cast<double>(seen.iterations);
  for (const Slow& slow : seen.slow) {
    totals.met += 1;
    totals.excess += slow.excess;
    totals.excess_ns += slow.excess_ns;
    totals.largest = std::max(totals.largest, slow.excess);
    totals.largest_ns = std::max(totals.largest_ns, slow.excess_ns);
  }
}

double squares_of(std::span<const SeenIterations> all) {
  double squares = 0;
  for (const SeenIterations& seen : all) {
    for (const Slow& slow : seen.slow) squares += slow.excess * slow.excess;
  }
  return squares;
}

// `of_one`: the mean excess of one, each weighed by itself.
double dispersion_of(std::span<const SeenIterations> all, const SlowTotals& totals, double of_one) {
  const double rate = totals.excess / totals.iterations;
  double sum = 0;
  for (const SeenIterations& seen : all) {
    const double expected = rate * static_cast<double>(seen.iterations);
    sum += std::pow(sum_of(seen) - expected, 2) / (expected * of_one);
  }
  return all.size() < 2 ? 1 : std::max(1.0, sum / static_cast<double>(all.size() - 1));
}

}  // namespace

double slow_from(const std::vector<std::span<const int64_t>>& series) {
  constexpr double kBeyondScatter = 5;  // standard deviations
  constexpr double kLeast = 1.05;
  constexpr std::size_t kFewest = 10;
  constexpr std::size_t kFarthest = 4;
  double scatter = std::numeric_limits<double>::infinity();
  // Of iterations so far apart: where each second is slow, neighbours scatter more than others.
  for (std::size_t apart = 1; apart <= kFarthest; ++apart) {
    const std::vector<double> steps = steps_of(series, apart);
    if (steps.size() >= kFewest) scatter = std::min(scatter, kSdOfStep * stats::median(steps));
  }
  return std::clamp(std::exp(kBeyondScatter * scatter), kLeast, kSlowIteration);
}

SeenIterations seen_in(const schema::InstanceTimes& instance, int config, double slow_from) {
  const double begun_below = std::sqrt(slow_from);
  const double typical =
      stats::median(std::vector<double>(instance.samples_ns.begin(), instance.samples_ns.end()));
  SeenIterations seen{config, 0, 0, {}};
  bool begun = false;
  for (const auto times : {instance.warmup_ns, instance.samples_ns}) {
    for (const int64_t time : times) {
      const auto ns = static_cast<double>(time);
      if (begun && ns > slow_from * typical) {
        seen.slow.push_back({seen.iterations, seen.ns, ns / typical - 1, ns - typical});
      }
      begun |= ns < begun_below * typical;
      ++seen.iterations;
      seen.ns += ns;
    }
  }
  return seen;
}

bool meet_in_phase(std::span<const SeenIterations> all) {
  constexpr std::size_t kFewest = 3;
  std::size_t asked = 0, alike = 0;
  for (const SeenIterations& one : all) {
    for (const SeenIterations& other : all) {
      if (&one == &other || one.config != other.config) continue;
      for (const Slow& slow : one.slow) {
        if (slow.index >= other.iterations) continue;
        ++asked;
        if (meets_at(other, slow.index)) ++alike;
      }
    }
  }
  return asked < kFewest || 2 * alike >= asked;
}

bool reach_the_first(std::span<const SeenIterations> own, std::span<const SeenIterations> all) {
  std::vector<double> index, begins_ns, iterations, ns;
  for (const SeenIterations& seen : all) {
    if (seen.slow.empty()) continue;
    index.push_back(static_cast<double>(seen.slow.front().index));
    begins_ns.push_back(seen.slow.front().begins_ns);
  }
  for (const SeenIterations& seen : own) {
    iterations.push_back(static_cast<double>(seen.iterations));
    ns.push_back(seen.ns);
  }
  if (index.empty() || iterations.empty()) return false;
  return stats::median(iterations) > stats::median(index) &&
         stats::median(ns) > stats::median(begins_ns);
}

double SlowTotals::each_at(double typical_ns) const {
  return met > 0 ? std::max(excess, excess_ns / typical_ns) / met : 0;
}

double SlowTotals::largest_at(double typical_ns) const {
  return std::max(largest, largest_ns / typical_ns);
}

SlowTotals totals_of(std::span<const SeenIterations> all) {
  SlowTotals totals;
  for (const SeenIterations& seen : all) add(totals, seen);
  if (totals.met == 0) return totals;
  // Unequal ones count for fewer (Kish 1965), and so do those that come together in a few visits.
  const double squares = squares_of(all);
  totals.dispersion = dispersion_of(all, totals, squares / totals.excess);
  totals.effective = std::max(1.0, totals.excess * totals.excess / squares / totals.dispersion);
  return totals;
}

}  // namespace batchscope::timing
