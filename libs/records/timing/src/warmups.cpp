#include "batchscope/timing/warmups.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "series.hpp"
#include "unreached.hpp"

namespace batchscope::timing {
namespace {

// Of visits made later, which warm up as long as the measured ones had shown: they can tell that it
// ended there, or be too short to tell. One slow index beyond the two that were not may be chance.
stats::WarmupNeed with_own(const stats::WarmupNeed& measured, const stats::WarmupNeed& own) {
  constexpr std::size_t kQuietIndices = 2;  // that end a warm-up, as stats::needed_warmup() has it
  if (own.visits < stats::kFewestToTest) return measured;
  const bool ended_before =
      measured.determined && own.iterations < measured.iterations + kQuietIndices;
  return {std::max(own.iterations, measured.iterations), own.determined || ended_before, own.visits,
          own.first_excess, own.last_excess};
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
  constexpr double kClearStep = 0.02;  // ln units
  const stats::WarmupNeed& pooled = pooled_.of(iteration_ns);
  const stats::WarmupNeed* const own = shown_by(config);
  if (own == nullptr) return pooled;
  // What settles by the clock takes others more iterations, if these are shorter.
  const bool shows_the_end = own->determined && own->last_excess > kClearStep;
  return shows_the_end || own->iterations >= pooled.iterations ? *own : pooled;
}

Warmups Warmups::with_longest_of(std::span<const int> configs) const {
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
  const stats::PooledWarmup pooled = stats::pooled_warmup(all);
  mark_unreached(run, by_config, Warmups(pooled, {}), needs);
  return {pooled, std::move(needs)};
}

Warmups shown_in(const schema::RunFile& run, Use use, const Warmups& measured) {
  Warmups shown = measured;
  if (use == Use::measured || has_none(run)) return shown;
  const auto by_config = series_of(run, use);
  std::vector<stats::WarmupNeed> needs(by_config.size());
  for (std::size_t i = 0; i < by_config.size(); ++i) {
    if (by_config[i].empty()) continue;
    const double iteration_ns = stats::median(by_config[i].front());
    needs[i] = with_own(measured.of(static_cast<int>(i), iteration_ns),
                        stats::needed_warmup(spans(by_config[i])));
  }
  mark_unreached(run, by_config, measured, needs);
  for (std::size_t i = 0; i < by_config.size(); ++i) {
    if (!by_config[i].empty()) shown.put(static_cast<int>(i), needs[i]);
  }
  return shown;
}

}  // namespace batchscope::timing
