#pragma once

#include <optional>
#include <vector>

#include "batchscope/causes/interventions.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/tables/run_view.hpp"
#include "config_signals.hpp"

namespace batchscope::causes {

// What an intervention did to a configuration.
struct InterventionEffect {
  std::vector<double> saved;          // ln(time without) - ln(time with), a block each
  std::vector<int> blocks;            // of `saved`
  std::optional<ConfigSignals> with;  // signals of the visits with the intervention
  bool settled = true;                // false: the visits may still hold warm-up
};

// Pairs the visits of purpose `intervention` of the two, within blocks; of the time of a sample
// where they differ in batch size or instances. nullopt when there is no such pair.
std::optional<InterventionEffect> effect_of(const tables::RunView& view, const Ablation& ablation,
                                            bool by_mean = false);

// Difference of differences: what was saved at one size less what was saved at the other, block by
// block; empty when they share none.
std::vector<double> difference(const InterventionEffect& at, const InterventionEffect& neighbour);

}  // namespace batchscope::causes
