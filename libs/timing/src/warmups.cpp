#include "batchscope/timing/warmups.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "batchscope/stats/descriptive.hpp"
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

// Series by configuration, of the visits of one use.
std::vector<std::vector<Series>> series_of(const schema::RunFile& run, Use use) {
  std::vector<std::vector<Series>> by_config(run.configs.size());
  for (const schema::Visit* visit : schema::current_visits(run)) {
    const bool tells = is_known(*visit, run) && serves(visit->purpose, use) && is_timed(*visit);
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

// What has not ended counts as the longer of two that are as long.
const stats::WarmupNeed& longer(const stats::WarmupNeed& a, const stats::WarmupNeed& b) {
  if (a.iterations != b.iterations) return a.iterations > b.iterations ? a : b;
  return a.determined ? b : a;
}

// Of visits made later, which warm up as long as the measured ones had shown: they can tell that it
// ended there, or be too short to tell. One slow index beyond the two that were not may be chance.
stats::WarmupNeed with_own(const stats::WarmupNeed& measured, const stats::WarmupNeed& own) {
  constexpr std::size_t kQuietIndices = 2;  // that end a warm-up, as stats::needed_warmup() has it
  if (own.visits < stats::kFewestToTest) return measured;
  const bool ended_before =
      measured.determined && own.iterations < measured.iterations + kQuietIndices;
  return {std::max(own.iterations, measured.iterations), own.determined || ended_before,
          own.visits};
}

// As the user wants it, or of no visit.
bool has_none(const schema::RunFile& run) {
  return run.header.plan.warmup || run.header.origin == schema::Origin::imported;
}

bool have_one_model_each(std::span<const schema::RunFile> runs) {
  return std::all_of(runs.begin(), runs.end(), [](const schema::RunFile& run) {
    return std::all_of(run.configs.begin(), run.configs.end(), [&](const schema::RunConfig& each) {
      return each.model == run.configs.front().model;
    });
  });
}

schema::RunConfig counterpart(schema::RunConfig config, bool any_model) {
  if (any_model) config.model.clear();
  return config;
}

using Needs = std::map<schema::RunConfig, stats::WarmupNeed>;

// What a run's configurations need, into the longest needs of all runs.
void add_needs(const schema::RunFile& run, const Warmups& warmups, bool any_model, Needs& longest) {
  if (has_none(run)) return;
  const auto by_config = series_of(run, Use::measured);
  for (std::size_t i = 0; i < by_config.size(); ++i) {
    if (by_config[i].empty()) continue;
    const double iteration_ns = stats::median(by_config[i].front());
    const stats::WarmupNeed& need = warmups.of(static_cast<int>(i), iteration_ns);
    const auto [found, is_first] =
        longest.try_emplace(counterpart(run.configs[i], any_model), need);
    if (!is_first) found->second = longer(found->second, need);
  }
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
  return own != nullptr && own->iterations >= pooled.iterations ? *own : pooled;
}

Warmups Warmups::alike(std::span<const int> configs) const {
  stats::WarmupNeed longest;
  for (const int config : configs) {
    const stats::WarmupNeed* const own = shown_by(config);
    if (own != nullptr) longest = longest.visits == 0 ? *own : longer(longest, *own);
  }
  Warmups made = *this;
  for (const int config : configs) made.raise(config, longest);
  return made;
}

void Warmups::raise(int config, const stats::WarmupNeed& need) {
  const stats::WarmupNeed* const own = shown_by(config);
  const bool is_longer = own == nullptr || &longer(*own, need) == &need;
  if (is_longer) put(config, need);
}

void Warmups::put(int config, const stats::WarmupNeed& need) {
  if (config < 0 || need.visits < stats::kFewestToTest) return;
  const auto place = static_cast<std::size_t>(config);
  if (place >= by_config_.size()) by_config_.resize(place + 1);
  by_config_[place] = need;
}

Warmups warmups_of(const schema::RunFile& run) {
  if (has_none(run)) return {};
  const auto by_config = series_of(run, Use::measured);
  std::vector<std::span<const double>> all;
  std::vector<stats::WarmupNeed> needs;
  for (const std::vector<Series>& series : by_config) {
    const auto own = spans(series);
    all.insert(all.end(), own.begin(), own.end());
    needs.push_back(stats::needed_warmup(own));
  }
  return {stats::pooled_warmup(all), std::move(needs)};
}

std::vector<Warmups> warmups_of(std::span<const schema::RunFile> runs) {
  std::vector<Warmups> all;
  for (const schema::RunFile& run : runs) all.push_back(warmups_of(run));
  if (runs.size() < 2) return all;
  const bool any_model = have_one_model_each(runs);
  Needs longest;
  for (std::size_t r = 0; r < runs.size(); ++r) add_needs(runs[r], all[r], any_model, longest);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (runs[r].header.origin == schema::Origin::imported) continue;
    for (std::size_t i = 0; i < runs[r].configs.size(); ++i) {
      const auto found = longest.find(counterpart(runs[r].configs[i], any_model));
      if (found != longest.end()) all[r].raise(static_cast<int>(i), found->second);
    }
  }
  return all;
}

Warmups shown_in(const schema::RunFile& run, Use use, const Warmups& measured) {
  Warmups shown = measured;
  if (use == Use::measured || has_none(run)) return shown;
  const auto by_config = series_of(run, use);
  for (std::size_t i = 0; i < by_config.size(); ++i) {
    if (by_config[i].empty()) continue;
    const auto config = static_cast<int>(i);
    const double iteration_ns = stats::median(by_config[i].front());
    const stats::WarmupNeed own = stats::needed_warmup(spans(by_config[i]));
    shown.put(config, with_own(measured.of(config, iteration_ns), own));
  }
  return shown;
}

bool shows_iterations(const schema::Visit& visit) {
  return visit.iterations_per_sample == 1 &&
         std::all_of(visit.warmup_ns.begin(), visit.warmup_ns.end(),
                     [](int64_t sample) { return sample > 0; });
}

}  // namespace batchscope::timing
