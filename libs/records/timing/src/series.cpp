#include "series.hpp"

#include <algorithm>
#include <utility>

#include "batchscope/timing/warmups.hpp"
#include "gives_a_time.hpp"

namespace batchscope::timing {
namespace {

Series time_order(const schema::InstanceTimes& instance) {
  Series times(instance.warmup_ns.begin(), instance.warmup_ns.end());
  const auto most = stats::kLongestWarmup - std::min(times.size(), stats::kLongestWarmup);
  const auto timed = instance.samples_ns.first(std::min(instance.samples_ns.size(), most));
  times.insert(times.end(), timed.begin(), timed.end());
  return times;
}

bool tells(const schema::Visit& visit, const schema::RunFile& run, Use use) {
  return is_known(visit, run) && serves(visit.purpose, use) && is_timed(visit) &&
         shows_iterations(visit);
}

std::vector<Series> series_of(std::vector<const schema::Visit*> visits, Use use) {
  if (use == Use::measured) leave_to_longer(visits);
  std::vector<Series> series;
  for (const schema::Visit* visit : visits) {
    for (const auto& instance : schema::by_instance(*visit)) series.push_back(time_order(instance));
  }
  return series;
}

}  // namespace

std::vector<std::vector<Series>> series_of(const schema::RunFile& run, Use use) {
  std::vector<std::vector<const schema::Visit*>> made(run.configs.size());
  for (const schema::Visit* visit : schema::current_visits(run)) {
    if (tells(*visit, run, use)) made[static_cast<std::size_t>(visit->config)].push_back(visit);
  }
  std::vector<std::vector<Series>> by_config;
  for (auto& visits : made) by_config.push_back(series_of(std::move(visits), use));
  return by_config;
}

std::vector<Series> series_of(const schema::RunFile& run, const schema::RunConfig& config,
                              Use use) {
  std::vector<const schema::Visit*> made;
  for (const schema::Visit* visit : schema::current_visits(run)) {
    if (!tells(*visit, run, use)) continue;
    if (run.configs[static_cast<std::size_t>(visit->config)] == config) made.push_back(visit);
  }
  return series_of(std::move(made), use);
}

std::vector<std::span<const double>> spans(const std::vector<Series>& series) {
  return {series.begin(), series.end()};
}

const stats::WarmupNeed& longer(const stats::WarmupNeed& a, const stats::WarmupNeed& b) {
  if (a.iterations != b.iterations) return a.iterations > b.iterations ? a : b;
  return a.determined ? b : a;
}

bool has_none(const schema::RunFile& run) {
  return run.header.plan.warmup || run.header.origin == schema::Origin::imported;
}

bool shows_iterations(const schema::Visit& visit) {
  return visit.iterations_per_sample == 1 &&
         std::all_of(visit.warmup_ns.begin(), visit.warmup_ns.end(),
                     [](int64_t sample) { return sample > 0; });
}

}  // namespace batchscope::timing
