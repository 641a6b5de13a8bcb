#include "batchscope/timing/warmups.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "batchscope/timing/evidence.hpp"

namespace batchscope::timing {
namespace {

constexpr std::size_t kLongestLook = 200;  // iterations of a visit that tell of its warm-up
constexpr int kFirstBlocks = 2;            // that decide nothing about warm-up

using Series = std::vector<double>;

bool gives_a_time(const schema::Visit& visit) {
  return visit.purpose == schema::Purpose::measure || visit.purpose == schema::Purpose::control;
}

Series time_order(const schema::InstanceTimes& instance) {
  Series times(instance.warmup_ns.begin(), instance.warmup_ns.end());
  const auto most = kLongestLook - std::min(times.size(), kLongestLook);
  const auto timed = instance.samples_ns.first(std::min(instance.samples_ns.size(), most));
  times.insert(times.end(), timed.begin(), timed.end());
  return times;
}

bool is_timed(const schema::Visit& visit) {
  return !visit.samples_ns.empty() && std::all_of(visit.samples_ns.begin(), visit.samples_ns.end(),
                                                  [](int64_t sample) { return sample > 0; });
}

// Series by configuration.
std::vector<std::vector<Series>> series_of(const schema::RunFile& run) {
  std::vector<std::vector<Series>> by_config(run.configs.size());
  for (const schema::Visit* visit : schema::current_visits(run)) {
    const bool known =
        visit->config >= 0 && static_cast<std::size_t>(visit->config) < run.configs.size();
    const bool tells = known && gives_a_time(*visit) && is_timed(*visit);
    if (!tells || !shows_iterations(*visit)) continue;
    for (const auto& instance : schema::by_instance(*visit)) {
      by_config[static_cast<std::size_t>(visit->config)].push_back(time_order(instance));
    }
  }
  return by_config;
}

std::vector<std::span<const double>> spans(const std::vector<Series>& series) {
  return {series.begin(), series.end()};
}

}  // namespace

Warmups::Warmups(stats::PooledWarmup pooled, std::vector<stats::WarmupNeed> by_config)
    : pooled_(pooled), by_config_(std::move(by_config)) {}

const stats::WarmupNeed& Warmups::of(int config, double iteration_ns) const {
  const stats::WarmupNeed& pooled = pooled_.of(iteration_ns);
  const auto place = static_cast<std::size_t>(config);
  if (config < 0 || place >= by_config_.size()) return pooled;
  const stats::WarmupNeed& own = by_config_[place];
  if (own.visits < kPairsToProve) return pooled;
  const bool unended = own.iterations > 0 && !own.determined;
  const bool longer = own.iterations > pooled.iterations;
  return longer || (unended && own.iterations == pooled.iterations) ? own : pooled;
}

Warmups warmups_of(const schema::RunFile& run) {
  if (run.header.plan.warmup || run.header.origin == schema::Origin::imported) return {};
  const auto by_config = series_of(run);
  std::vector<std::span<const double>> all;
  std::vector<stats::WarmupNeed> needs;
  for (const std::vector<Series>& series : by_config) {
    const auto own = spans(series);
    all.insert(all.end(), own.begin(), own.end());
    needs.push_back(stats::needed_warmup(own));
  }
  return {stats::pooled_warmup(all), std::move(needs)};
}

Warmups warmups_so_far(const schema::RunFile& run) {
  const auto visits = schema::current_visits(run);
  const bool late = std::any_of(visits.begin(), visits.end(), [](const schema::Visit* visit) {
    return gives_a_time(*visit) && visit->block >= kFirstBlocks - 1;
  });
  return late ? warmups_of(run) : Warmups();
}

bool shows_iterations(const schema::Visit& visit) {
  return visit.iterations_per_sample == 1 &&
         std::all_of(visit.warmup_ns.begin(), visit.warmup_ns.end(),
                     [](int64_t sample) { return sample > 0; });
}

}  // namespace batchscope::timing
