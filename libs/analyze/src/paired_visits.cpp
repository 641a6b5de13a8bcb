#include "paired_visits.hpp"

#include <cmath>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::analyze {

std::map<int, const schema::Visit*> visits_of(const schema::RunFile& run,
                                              const schema::RunConfig& config,
                                              schema::Purpose purpose) {
  std::map<int, const schema::Visit*> by_block;
  for (const schema::Visit* visit : schema::current_visits(run)) {
    if (visit->purpose != purpose || visit->samples_ns.empty()) continue;
    if (run.configs[static_cast<std::size_t>(visit->config)] == config) {
      by_block[visit->block] = visit;
    }
  }
  return by_block;
}

double log_median_ns(const schema::Visit& visit) {
  std::vector<double> medians;
  for (const schema::InstanceTimes& instance : schema::by_instance(visit)) {
    const std::vector<double> samples(instance.samples_ns.begin(), instance.samples_ns.end());
    medians.push_back(stats::median(samples));
  }
  return std::log(medians.size() == 1 ? medians.front() : stats::harmonic_mean(medians));
}

PairedVisits pair_visits(const schema::RunFile& run, const schema::RunConfig& a,
                         const schema::RunConfig& b, schema::Purpose purpose) {
  const auto of_a = visits_of(run, a, purpose);
  PairedVisits pairs;
  for (const auto& [block, visit] : visits_of(run, b, purpose)) {
    const auto found = of_a.find(block);
    if (found == of_a.end()) continue;
    pairs.contrasts.push_back(log_median_ns(*found->second) - log_median_ns(*visit));
    pairs.blocks.push_back(block);
    pairs.b.push_back(visit);
  }
  return pairs;
}

}  // namespace batchscope::analyze
