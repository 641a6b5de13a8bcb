#include "config_signals.hpp"

#include "batchscope/schema/visit.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "size_facts.hpp"

namespace batchscope::causes {

using tables::ConfigData;
using tables::UsableVisit;

std::optional<ConfigSignals> signals_of(const std::vector<const schema::Visit*>& visits) {
  std::vector<double> faults, system, wall;
  for (const schema::Visit* visit : visits) {
    const schema::Usage& usage = visit->usage;
    if (visit->samples_ns.empty() || !usage.minor_faults || !usage.system_ns) continue;
    if (compiles_in_iterations(*visit)) continue;
    // The usage is read around all timed iterations, also those that count as warm-up later.
    const double n = iterations_of(*visit);
    faults.push_back(static_cast<double>(*usage.minor_faults) / n);
    system.push_back(static_cast<double>(*usage.system_ns) / n);
    wall.push_back(mean_iteration_ns(*visit));
  }
  if (faults.empty()) return std::nullopt;
  return ConfigSignals{stats::median(faults), stats::median(system), stats::median(wall)};
}

std::optional<ConfigSignals> signals_of(const ConfigData& config) {
  std::vector<const schema::Visit*> visits;
  for (const UsableVisit& usable : config.visits) visits.push_back(usable.visit);
  return signals_of(visits);
}

}  // namespace batchscope::causes
