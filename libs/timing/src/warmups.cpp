#include "batchscope/timing/warmups.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "batchscope/timing/visits.hpp"
#include "gives_a_time.hpp"

namespace batchscope::timing {
namespace {

using Series = std::vector<double>;

Series time_order(const schema::InstanceTimes& instance) {
  Series times(instance.warmup_ns.begin(), instance.warmup_ns.end());
  const auto most = stats::kLongestWarmup - std::min(times.size(), stats::kLongestWarmup);
  const auto timed = instance.samples_ns.first(std::min(instance.samples_ns.size(), most));
  times.insert(times.end(), timed.begin(), timed.end());
  return times;
}

// Series by configuration.
std::vector<std::vector<Series>> series_of(const schema::RunFile& run) {
  std::vector<std::vector<Series>> by_config(run.configs.size());
  for (const schema::Visit* visit : schema::current_visits(run)) {
    const bool tells =
        is_known(*visit, run) && serves(visit->purpose, Use::measured) && is_timed(*visit);
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

const stats::WarmupNeed* Warmups::shown_by(int config) const {
  const auto place = static_cast<std::size_t>(config);
  if (config < 0 || place >= by_config_.size()) return nullptr;
  return by_config_[place].visits < stats::kFewestToTest ? nullptr : &by_config_[place];
}

const stats::WarmupNeed& Warmups::of(int config, double iteration_ns) const {
  const stats::WarmupNeed& pooled = pooled_.of(iteration_ns);
  const stats::WarmupNeed* const own = shown_by(config);
  if (own == nullptr) return pooled;
  const bool unended = own->iterations > 0 && !own->determined;
  const bool longer = own->iterations > pooled.iterations;
  return longer || (unended && own->iterations == pooled.iterations) ? *own : pooled;
}

Warmups Warmups::alike(std::span<const int> configs) const {
  stats::WarmupNeed longest;
  for (const int config : configs) {
    const stats::WarmupNeed* const own = shown_by(config);
    if (own != nullptr && own->iterations >= longest.iterations) longest = *own;
  }
  Warmups made = *this;
  for (const int config : configs) {
    const auto place = static_cast<std::size_t>(config);
    if (config >= 0 && place < by_config_.size()) made.by_config_[place] = longest;
  }
  return made;
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

bool shows_iterations(const schema::Visit& visit) {
  return visit.iterations_per_sample == 1 &&
         std::all_of(visit.warmup_ns.begin(), visit.warmup_ns.end(),
                     [](int64_t sample) { return sample > 0; });
}

}  // namespace batchscope::timing
