#include "paired_visits.hpp"

#include <algorithm>
#include <cmath>
#include <span>

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

double log_mean_ns(const schema::Visit& visit, const RunView& view) {
  const bool shows = !view.run->header.plan.warmup && visit.iterations_per_sample == 1;
  std::vector<double> means;
  for (const schema::InstanceTimes& instance : schema::by_instance(visit)) {
    const std::vector<double> samples(instance.samples_ns.begin(), instance.samples_ns.end());
    const std::size_t needed = shows ? view.warmup.of(stats::median(samples)).iterations : 0;
    const std::size_t late = needed - std::min(needed, instance.warmup_ns.size());
    const std::span<const double> warm(samples);
    means.push_back(stats::mean(warm.subspan(std::min(late, samples.size() - 1))));
  }
  return std::log(means.size() == 1 ? means.front() : stats::harmonic_mean(means));
}

namespace {

template <class LogTime>
PairedVisits paired_by(const schema::RunFile& run, const schema::RunConfig& a,
                       const schema::RunConfig& b, schema::Purpose purpose,
                       const LogTime& log_time) {
  const auto of_a = visits_of(run, a, purpose);
  PairedVisits pairs;
  for (const auto& [block, visit] : visits_of(run, b, purpose)) {
    const auto found = of_a.find(block);
    if (found == of_a.end()) continue;
    pairs.contrasts.push_back(log_time(*found->second) - log_time(*visit));
    pairs.blocks.push_back(block);
    pairs.b.push_back(visit);
  }
  return pairs;
}

}  // namespace

PairedVisits pair_visits(const schema::RunFile& run, const schema::RunConfig& a,
                         const schema::RunConfig& b, schema::Purpose purpose) {
  return paired_by(run, a, b, purpose, log_median_ns);
}

PairedVisits pair_mean_visits(const RunView& view, const schema::RunConfig& a,
                              const schema::RunConfig& b, schema::Purpose purpose) {
  return paired_by(*view.run, a, b, purpose,
                   [&](const schema::Visit& visit) { return log_mean_ns(visit, view); });
}

}  // namespace batchscope::analyze
