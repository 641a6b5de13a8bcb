#include "batchscope/compare/loss_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "batchscope/base/counted.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/visit.hpp"

namespace batchscope::compare {
namespace {

using tables::ConfigData;
using tables::UsableVisit;

constexpr double kTiny = 1e-5;

// 0 where no visit kept its losses. A visit to a model that was trained before keeps none.
std::size_t common_steps(const ConfigData& config) {
  std::size_t steps = 0;
  for (const UsableVisit& usable : config.visits) {
    const std::size_t kept = usable.visit->losses.size();
    if (kept > 0) steps = steps == 0 ? kept : std::min(steps, kept);
  }
  return steps;
}

double mean_loss(const ConfigData& config, std::size_t step) {
  double sum = 0, n = 0;
  for (const UsableVisit& usable : config.visits) {
    if (usable.visit->losses.empty()) continue;
    sum += usable.visit->losses[step - 1];
    ++n;
  }
  return sum / n;
}

}  // namespace

std::optional<findings::LossPair> common_losses(const ConfigData& base, const ConfigData& other) {
  const std::size_t steps = std::min(common_steps(base), common_steps(other));
  if (steps == 0) return std::nullopt;
  return findings::LossPair{static_cast<int64_t>(steps), mean_loss(base, steps),
                            mean_loss(other, steps)};
}

double apart(const findings::LossPair& losses) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!std::isfinite(losses.base) || !std::isfinite(losses.other)) return kInfinity;
  if (losses.base == losses.other) return 0;
  return std::abs(losses.other - losses.base) / std::abs(losses.base);
}

std::string loss_words(const findings::LossPair& losses) {
  const double distance = apart(losses);
  std::string how_far = "not finite";
  if (distance == 0) how_far = "the same";
  if (distance > 0 && std::isfinite(distance)) {
    how_far = distance < kTiny ? "relative difference under 1e-5"
                               : "relative difference " + findings::relative_difference(distance);
  }
  return fmt::format("Loss after {} {:.4g} against {:.4g} ({})",
                     base::counted(losses.steps, "step"), losses.other, losses.base, how_far);
}

}  // namespace batchscope::compare
