#include "batchscope/tables/paired_visits.hpp"

#include <cmath>

namespace batchscope::tables {

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

double log_typical_ns(const schema::Visit& visit, const RunView& view) {
  return std::log(timing::typical_ns(timing::warm(visit, view.warmups)));
}

double log_mean_ns(const schema::Visit& visit, const RunView& view) {
  return std::log(timing::mean_ns(timing::warm(visit, view.warmups)));
}

PairedVisits pair_visits(const RunView& view, const schema::RunConfig& a,
                         const schema::RunConfig& b, schema::Purpose purpose, LogTime log_time) {
  const auto of_a = visits_of(*view.run, a, purpose);
  PairedVisits pairs;
  for (const auto& [block, visit] : visits_of(*view.run, b, purpose)) {
    const auto found = of_a.find(block);
    if (found == of_a.end()) continue;
    pairs.contrasts.push_back(log_time(*found->second, view) - log_time(*visit, view));
    pairs.blocks.push_back(block);
    pairs.b.push_back(visit);
  }
  return pairs;
}

}  // namespace batchscope::tables
