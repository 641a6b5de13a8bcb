#include "batchscope/timing/contrasted.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "batchscope/stats/descriptive.hpp"
#include "cut_visits.hpp"
#include "series.hpp"

namespace batchscope::timing {
namespace {

std::vector<int> indices_of(const schema::RunFile& run, const schema::RunConfig& config) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < run.configs.size(); ++i) {
    if (run.configs[i] == config) indices.push_back(static_cast<int>(i));
  }
  return indices;
}

// All that is held against each other, cut in one way.
using Cut = std::vector<WarmVisits>;

bool is_settled(const Cut& cut) {
  return std::all_of(cut.begin(), cut.end(), [](const WarmVisits& each) { return each.settled; });
}

bool loses_visits(const Cut& cut, const Cut& than) {
  const auto fewer = [](const WarmVisits& a, const WarmVisits& b) {
    return a.visits.size() < b.visits.size();
  };
  return !std::equal(cut.begin(), cut.end(), than.begin(), std::not_fn(fewer));
}

// So much longer take the iterations of one than those of another: what a visit of either needs is
// no count that they share, and no rest of a warm-up is what tells them apart.
constexpr double kOtherLength = 1.5;

bool differ_in_length(const Cut& cut) {
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (const WarmVisits& each : cut) {
    if (each.visits.empty()) continue;
    const double typical = std::exp(stats::median(logs_of(each, typical_ns)));
    shortest = std::min(shortest, typical);
    longest = std::max(longest, typical);
  }
  return longest > kOtherLength * shortest;
}

Cut better(Cut own, Cut alike) {
  const bool costs = !is_settled(alike) || loses_visits(alike, own);
  return costs && is_settled(own) && differ_in_length(own) ? std::move(own) : std::move(alike);
}

ContrastedVisits both(Cut cut) {
  const bool settled = is_settled(cut);
  return {std::move(cut[0]), std::move(cut[1]), settled};
}

using Side = std::span<const ConfigInRun>;

// Of the visits of all its runs together.
stats::WarmupNeed shown_together(Side side) {
  std::vector<Series> all;
  for (const ConfigInRun& each : side) {
    if (each.config == nullptr || has_none(*each.run)) continue;
    const auto by_config = series_of(*each.run, Use::measured);
    for (const int index : indices_of(*each.run, *each.config)) {
      const auto& series = by_config[static_cast<std::size_t>(index)];
      all.insert(all.end(), series.begin(), series.end());
    }
  }
  return stats::needed_warmup(spans(all));
}

WarmVisits by_its_own(const ConfigInRun& each) {
  if (each.config == nullptr) return {};
  return cut_visits(*each.run, *each.config, Use::measured, *each.warmups);
}

WarmVisits raised(const ConfigInRun& each, const stats::WarmupNeed& need) {
  const bool stays = each.config == nullptr || each.run->header.origin == schema::Origin::imported;
  if (stays) return by_its_own(each);
  Warmups warmups = *each.warmups;
  for (const int index : indices_of(*each.run, *each.config)) warmups.raise(index, need);
  return cut_visits(*each.run, *each.config, Use::measured, warmups);
}

const stats::WarmupNeed& own_need(const ConfigInRun& each, const WarmVisits& visits) {
  const WarmVisit& first = visits.visits.front();
  return each.warmups->of(first.visit->config, typical_ns(first));
}

}  // namespace

ContrastedVisits contrasted_visits(const schema::RunFile& run, const schema::RunConfig& a,
                                   const schema::RunConfig& b, Use use, const Warmups& warmups) {
  const auto cut_by = [&](const Warmups& needs) {
    return Cut{cut_visits(run, a, use, needs), cut_visits(run, b, use, needs)};
  };
  const Warmups shown = shown_in(run, use, warmups);
  if (use == Use::fresh || a.shape.batch_size != b.shape.batch_size) return both(cut_by(shown));
  std::vector<int> of_both = indices_of(run, a);
  for (const int index : indices_of(run, b)) of_both.push_back(index);
  Cut alike = cut_by(shown.with_longest_of(of_both));
  if (use == Use::intervention) return both(std::move(alike));
  return both(better(cut_by(shown), std::move(alike)));
}

ContrastedRuns contrasted_runs(Side a, Side b) {
  std::vector<ConfigInRun> places(a.begin(), a.end());
  places.insert(places.end(), b.begin(), b.end());
  stats::WarmupNeed longest = longer(shown_together(a), shown_together(b));
  Cut own;
  for (const ConfigInRun& each : places) {
    own.push_back(by_its_own(each));
    if (own.back().visits.empty() || has_none(*each.run)) continue;
    longest = longer(longest, own_need(each, own.back()));
  }
  Cut alike;
  for (const ConfigInRun& each : places) alike.push_back(raised(each, longest));
  Cut cut = better(std::move(own), std::move(alike));
  const auto middle = cut.begin() + std::ssize(a);
  ContrastedRuns sides;
  sides.settled = is_settled(cut);
  sides.a.assign(cut.begin(), middle);
  sides.b.assign(middle, cut.end());
  return sides;
}

}  // namespace batchscope::timing
