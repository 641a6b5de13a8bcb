#include "series.hpp"

#include <algorithm>

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

void add_series(const schema::Visit& visit, std::vector<Series>& series) {
  for (const auto& instance : schema::by_instance(visit)) series.push_back(time_order(instance));
}

}  // namespace

std::vector<std::vector<Series>> series_of(const schema::RunFile& run, Use use) {
  std::vector<std::vector<Series>> by_config(run.configs.size());
  for (const schema::Visit* visit : schema::current_visits(run)) {
    if (!tells(*visit, run, use)) continue;
    add_series(*visit, by_config[static_cast<std::size_t>(visit->config)]);
  }
  return by_config;
}

std::vector<Series> series_of(const schema::RunFile& run, const schema::RunConfig& config,
                              Use use) {
  std::vector<Series> series;
  for (const schema::Visit* visit : schema::current_visits(run)) {
    if (!tells(*visit, run, use)) continue;
    if (run.configs[static_cast<std::size_t>(visit->config)] == config) add_series(*visit, series);
  }
  return series;
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
