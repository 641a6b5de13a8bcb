#include "intervention_effect.hpp"

#include <algorithm>

#include "batchscope/analyze/causes.hpp"
#include "paired_visits.hpp"

namespace batchscope::analyze {

std::optional<InterventionEffect> effect_on(const schema::RunFile& run,
                                            const schema::RunConfig& config,
                                            const std::map<std::string, std::string>& environment) {
  PairedVisits pairs =
      pair_visits(run, config, under(config, environment), schema::Purpose::intervention);
  if (pairs.contrasts.empty()) return std::nullopt;
  return InterventionEffect{std::move(pairs.contrasts), std::move(pairs.blocks),
                            signals_of(pairs.b)};
}

schema::RunConfig under(schema::RunConfig config,
                        const std::map<std::string, std::string>& environment) {
  for (const auto& [name, value] : environment) config.environment[name] = value;
  return config;
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

}  // namespace batchscope::analyze
