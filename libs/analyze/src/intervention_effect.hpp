#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "config_signals.hpp"

namespace batchscope::analyze {

// What an intervention did to a configuration.
struct InterventionEffect {
  std::vector<double> saved;          // ln(time without) - ln(time with), a block each
  std::vector<int> blocks;            // of `saved`
  std::optional<ConfigSignals> with;  // signals of the visits with the intervention
};

// Pairs the visits of purpose `intervention` of `config` with those under `environment`, within
// blocks. nullopt when there is no such pair.
std::optional<InterventionEffect> effect_on(const schema::RunFile& run,
                                            const schema::RunConfig& config,
                                            const std::map<std::string, std::string>& environment);

// Difference of differences: what was saved at one size less what was saved at the other, block by
// block; empty when they share none.
std::vector<double> difference(const InterventionEffect& at, const InterventionEffect& neighbour);

}  // namespace batchscope::analyze
