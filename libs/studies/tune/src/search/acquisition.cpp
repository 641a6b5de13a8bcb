#include "acquisition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace batchscope::tune {
namespace {

// What is better by less is not worth looking for; ln units.
constexpr double kIndifference = 0.007;
constexpr double kLittleChance = 0.02;  // a prediction is no measurement

double normal_density(double z) {
  return std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
}
double normal_below(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

}  // namespace

Acquisition::Acquisition(const Knowledge& known)
    : known_(known),
      shape_(fit_shape(known)),
      beliefs_(believe(known, shape_)),
      latency_shift_(known.latency_over_time()) {
  for (std::size_t i = 0; i < known.grid().size(); ++i) {
    const PointFacts& facts = known.facts(i);
    if (facts.log_times.empty() || !facts.left_out.empty() || known.excess(i) > 0) continue;
    if (!best_ || cost(i) < cost(*best_)) best_ = i;
  }
}

double Acquisition::expected_improvement(std::size_t point) const {
  const double chance = chance_of_bounds(point);
  if (!best_) return chance;
  const double sd = std::max(beliefs_[point].sd, 1e-9);
  const double better = cost(*best_) - cost(point) - kIndifference;
  const double z = better / sd;
  return chance * (better * normal_below(z) + sd * normal_density(z));
}

double Acquisition::chance_of_bounds(std::size_t point) const {
  return chance_of_latency(point) * chance_of_memory(point) * chance_of_room(point);
}

double Acquisition::chance_of_latency(std::size_t point) const {
  const auto& budget = known_.goal().latency_budget_s;
  if (!budget) return 1;
  const double spare = std::log(*budget) - beliefs_[point].mean - latency_shift_;
  return normal_below(spare / std::max(beliefs_[point].sd, 1e-9));
}

// By the line through what the setting's other sizes took.
double Acquisition::chance_of_memory(std::size_t point) const {
  const auto& limit = known_.goal().memory_limit_bytes;
  if (!limit) return 1;
  std::vector<double> sizes, bytes;
  for (const std::size_t other : known_.lanes()[known_.lane_of(point)].points) {
    const auto& memory = known_.facts(other).memory_bytes;
    if (!memory || *memory <= 0) continue;
    sizes.push_back(known_.batch_size(other));
    bytes.push_back(static_cast<double>(*memory));
  }
  const auto line = stats::fit_law(stats::LawKind::affine, sizes, bytes);
  if (!line) return 1;
  const bool fits = line->evaluate(known_.batch_size(point)) <= static_cast<double>(*limit);
  return fits ? 1 : kLittleChance;
}

// Between the largest size that fitted and the smallest that did not, the odds fall evenly.
double Acquisition::chance_of_room(std::size_t point) const {
  double fitted = 0, failed = std::numeric_limits<double>::infinity();
  const double size = known_.batch_size(point);
  for (const std::size_t other : known_.lanes()[known_.lane_of(point)].points) {
    const PointFacts& facts = known_.facts(other);
    if (!facts.log_times.empty()) fitted = std::max(fitted, known_.batch_size(other));
    if (facts.ruled_out && facts.failures > 0) failed = std::min(failed, known_.batch_size(other));
  }
  if (size <= fitted || !std::isfinite(failed)) return 1;
  if (size >= failed) return 0;
  return (failed - size) / (failed - fitted);
}

}  // namespace batchscope::tune
