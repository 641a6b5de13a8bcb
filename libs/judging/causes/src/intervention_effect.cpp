#include "intervention_effect.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/tables/paired_visits.hpp"

namespace batchscope::causes {

using tables::pair_visits;
using tables::PairedVisits;
using tables::RunView;

namespace {

double samples_of(const schema::RunConfig& config) {
  return static_cast<double>(schema::samples_at_once(config));
}

}  // namespace

std::optional<InterventionEffect> effect_of(const RunView& view, const Ablation& ablation,
                                            bool by_mean) {
  PairedVisits pairs =
      pair_visits(view, ablation.config, ablation.without, timing::Use::intervention,
                  by_mean ? timing::mean_ns : timing::typical_ns);
  if (pairs.contrasts.empty()) return std::nullopt;
  const double samples = std::log(samples_of(ablation.without) / samples_of(ablation.config));
  for (double& saved : pairs.contrasts) saved += samples;
  return InterventionEffect{std::move(pairs.contrasts), std::move(pairs.blocks),
                            signals_of(pairs.b), pairs.settled};
}

std::vector<double> difference(const InterventionEffect& at, const InterventionEffect& neighbour) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < at.blocks.size(); ++i) {
    const auto found = std::find(neighbour.blocks.begin(), neighbour.blocks.end(), at.blocks[i]);
    if (found == neighbour.blocks.end()) continue;
    const auto j = static_cast<std::size_t>(found - neighbour.blocks.begin());
    differences.push_back(at.saved[i] - neighbour.saved[j]);
  }
  return differences;
}

}  // namespace batchscope::causes
