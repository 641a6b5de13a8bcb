#include "intervention_effect.hpp"

#include <algorithm>

#include "paired_visits.hpp"

namespace batchscope::analyze {

std::optional<InterventionEffect> effect_on(const schema::RunFile& run,
                                            const schema::RunConfig& config,
                                            const std::map<std::string, std::string>& environment) {
  schema::RunConfig changed = config;
  for (const auto& [name, value] : environment) changed.environment[name] = value;
  PairedVisits pairs = pair_visits(run, config, changed, schema::Purpose::intervention);
  if (pairs.contrasts.empty()) return std::nullopt;
  return InterventionEffect{std::move(pairs.contrasts), std::move(pairs.blocks),
                            signals_of(pairs.b)};
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
