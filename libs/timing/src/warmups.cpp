#include "batchscope/timing/warmups.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "same_model.hpp"
#include "series.hpp"

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

// How long visits of a configuration are.
struct Length {
  double iterations = 0;
  double ns = 0;
};

Length length_of(const std::vector<Series>& series) {
  std::vector<double> iterations, ns;
  for (const Series& each : series) {
    iterations.push_back(static_cast<double>(each.size()));
    ns.push_back(std::accumulate(each.begin(), each.end(), 0.0));
  }
  if (series.empty()) return {};
  return {stats::median(iterations), stats::median(ns)};
}

// What visits of one configuration show of the end of a warm-up, which those of another may have
// been too short to reach: by iterations, as a compiler at work, or by the clock.
struct Ended {
  std::size_t config = 0;
  double iterations = 0;
  double ns = 0;
};

Ended end_of(std::size_t config, const std::vector<Series>& series, const stats::WarmupNeed& need) {
  std::vector<double> ns;
  for (const Series& each : series) {
    const auto warm = std::min(need.iterations, each.size());
    ns.push_back(
        std::accumulate(each.begin(), each.begin() + static_cast<std::ptrdiff_t>(warm), 0.0));
  }
  return {config, static_cast<double>(need.iterations), stats::median(ns)};
}

// Whether the last step of a warm-up that one shows is to be seen in the other too: its iterations
// become faster by as much from the first on, but for half of that step.
bool shows_as_much(const stats::WarmupNeed& other, const stats::WarmupNeed& one) {
  return other.first_excess >= one.first_excess - one.last_excess / 2;
}

// Marks what looks settled only because its visits do not reach as far as those of another.
void mark_unreached(const schema::RunFile& run, const std::vector<std::vector<Series>>& series,
                    const Warmups& known, std::vector<stats::WarmupNeed>& needs) {
  constexpr double kMatters = 0.02;  // ln units
  // Processes end their warm-up at times of their own: what ends with it shows little of what
  // follows.
  constexpr double kBeyond = 1.25;
  std::vector<Ended> ends;
  for (std::size_t a = 0; a < needs.size(); ++a) {
    const bool tells = needs[a].determined && needs[a].visits >= stats::kFewestToTest;
    if (tells && needs[a].last_excess > kMatters) ends.push_back(end_of(a, series[a], needs[a]));
  }
  const std::vector<stats::WarmupNeed> shown = needs;
  for (std::size_t b = 0; b < needs.size(); ++b) {
    const Length length = length_of(series[b]);
    const bool unreached = std::any_of(ends.begin(), ends.end(), [&](const Ended& end) {
      return end.config != b && model_key(run.configs[b]) == model_key(run.configs[end.config]) &&
             (length.iterations <= end.iterations || length.ns <= kBeyond * end.ns) &&
             !shows_as_much(shown[b], shown[end.config]);
    });
    if (!unreached || series[b].empty()) continue;
    const double iteration_ns = length.ns / length.iterations;
    const auto least = known.of(static_cast<int>(b), iteration_ns).iterations;
    needs[b].iterations = std::max<std::size_t>({needs[b].iterations, least, 1});
    needs[b].determined = false;
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
