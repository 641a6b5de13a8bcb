#include "batchscope/timing/contrasted.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/timing/evidence.hpp"
#include "cut_visits.hpp"
#include "series.hpp"

namespace batchscope::timing {
namespace {

using Side = std::span<const ConfigInRun>;

std::vector<int> indices_of(const ConfigInRun& place) {
  const std::vector<schema::RunConfig>& configs = place.run->configs;
  std::vector<int> indices;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (configs[i] == *place.config) indices.push_back(static_cast<int>(i));
  }
  return indices;
}

bool loses_visits(const ContrastedRuns& cut, const ContrastedRuns& than) {
  const auto keeps = [](const WarmVisits& a, const WarmVisits& b) {
    return a.visits.size() >= b.visits.size();
  };
  return !std::equal(cut.a.begin(), cut.a.end(), than.a.begin(), keeps) ||
         !std::equal(cut.b.begin(), cut.b.end(), than.b.begin(), keeps);
}

// What the iterations of a side take, as they are compared and as they were made.
double typical_of(const std::vector<WarmVisits>& side) {
  std::vector<double> logs;
  for (const WarmVisits& each : side) {
    const std::vector<double> own = logs_of(each.visits, typical_ns);
    logs.insert(logs.end(), own.begin(), own.end());
  }
  return logs.empty() ? 0 : std::exp(stats::median(logs));
}

std::size_t shortest(const std::vector<Series>& series) {
  std::size_t length = stats::kLongestWarmup;
  for (const Series& each : series) length = std::min(length, each.size());
  return length;
}

double typical_of_first(const std::vector<Series>& series, std::size_t iterations) {
  std::vector<double> typical;
  for (const Series& each : series) {
    typical.push_back(stats::median(std::span(each).first(iterations)));
  }
  return typical.empty() ? 0 : stats::median(typical);
}

// So much longer take the iterations of one side than those of the other: what a visit of either
// needs is no count that they share, and no rest of a warm-up is what tells them apart.
constexpr double kOtherLength = 1.5;

bool is_longer(double a, double b) {
  return b > 0 && a > kOtherLength * b;
}

std::vector<Series> series_of(Side side, Use use) {
  std::vector<Series> all;
  for (const ConfigInRun& each : side) {
    if (each.config == nullptr) continue;
    const std::vector<Series> series = series_of(*each.run, *each.config, use);
    all.insert(all.end(), series.begin(), series.end());
  }
  return all;
}

// Also among the first iterations, as many of either: visits too short to show the end of their
// warm-up look settled, and slow.
bool differ_in_length(const ContrastedRuns& cut, Side side_a, Side side_b, Use use) {
  const double a = typical_of(cut.a), b = typical_of(cut.b);
  if (!is_longer(a, b) && !is_longer(b, a)) return false;
  const std::vector<Series> series_a = series_of(side_a, use), series_b = series_of(side_b, use);
  const std::size_t both = std::min(shortest(series_a), shortest(series_b));
  if (both == 0) return false;
  const double first_a = typical_of_first(series_a, both);
  const double first_b = typical_of_first(series_b, both);
  return is_longer(a, b) ? is_longer(first_a, first_b) : is_longer(first_b, first_a);
}

// Each side by its own where the common need costs something and says nothing of one of them.
bool is_own_better(const ContrastedRuns& own, const ContrastedRuns& alike, Side a, Side b,
                   Use use) {
  const bool costs = !alike.settled || loses_visits(alike, own);
  return costs && own.settled && differ_in_length(own, a, b, use);
}

WarmVisits cut_by(const ConfigInRun& place, Use use, const stats::WarmupNeed& need) {
  if (place.config == nullptr) return {};
  if (place.run->header.origin == schema::Origin::imported) {
    return cut_visits(*place.run, *place.config, use, *place.warmups);
  }
  Warmups warmups = *place.warmups;
  for (const int index : indices_of(place)) warmups.raise(index, need);
  return cut_visits(*place.run, *place.config, use, warmups);
}

std::vector<WarmVisits> cut_by(Side side, Use use, const stats::WarmupNeed& need) {
  std::vector<WarmVisits> cut;
  for (const ConfigInRun& each : side) cut.push_back(cut_by(each, use, need));
  return cut;
}

ContrastedRuns cut_by(Side a, Side b, Use use, const stats::WarmupNeed& need_a,
                      const stats::WarmupNeed& need_b) {
  ContrastedRuns made{cut_by(a, use, need_a), cut_by(b, use, need_b)};
  made.settled = all_settled(made.a) && all_settled(made.b);
  return made;
}

// Of the visits of all its runs together; what a single one shows is in its warm-ups.
stats::WarmupNeed shown_together(Side side) {
  if (side.size() < 2) return {};
  std::vector<ConfigInRun> open;
  std::copy_if(side.begin(), side.end(), std::back_inserter(open),
               [](const ConfigInRun& each) { return !has_none(*each.run); });
  return stats::needed_warmup(spans(series_of(open, Use::measured)));
}

// Of its runs, each by itself.
stats::WarmupNeed longest_of(Side side, const std::vector<WarmVisits>& own) {
  stats::WarmupNeed longest;
  for (std::size_t i = 0; i < side.size(); ++i) {
    if (own[i].visits.empty() || has_none(*side[i].run)) continue;
    const SteadyVisit& first = own[i].visits.front();
    longest = longer(longest, side[i].warmups->of(first.visit->config, typical_ns(first)));
  }
  return longest;
}

// Pairs that are left, were all of them kept.
std::size_t pairs_of(const ContrastedVisits& visits, bool with_excluded) {
  const auto blocks_of = [&](const WarmVisits& side) {
    std::set<int> blocks;
    for (const SteadyVisit& each : side.visits) blocks.insert(each.visit->block);
    if (!with_excluded) return blocks;
    for (const SteadyVisit& each : side.excluded) blocks.insert(each.visit->block);
    return blocks;
  };
  const std::set<int> a = blocks_of(visits.a), b = blocks_of(visits.b);
  return static_cast<std::size_t>(
      std::count_if(a.begin(), a.end(), [&](int block) { return b.count(block) > 0; }));
}

bool is_enough(std::size_t visits) {
  return visits >= static_cast<std::size_t>(kPairsToProve);
}

}  // namespace

ContrastedVisits contrasted_visits(const schema::RunFile& run, const schema::RunConfig& a,
                                   const schema::RunConfig& b, Use use, const Warmups& warmups) {
  const Warmups shown = shown_in(run, use, warmups);
  const ConfigInRun own_a{&run, &a, &shown}, own_b{&run, &b, &shown};
  const Side side_a(&own_a, 1), side_b(&own_b, 1);
  ContrastedRuns cut = cut_by(side_a, side_b, use, {}, {});
  if (a.shape.batch_size == b.shape.batch_size) {
    // What all configurations show together counts for each as it is: those that take long are
    // pooled apart from the others.
    std::vector<int> of_both = indices_of(own_a);
    for (const int index : indices_of(own_b)) of_both.push_back(index);
    const Warmups longest = shown.with_longest_of(of_both);
    const ConfigInRun alike_a{&run, &a, &longest}, alike_b{&run, &b, &longest};
    ContrastedRuns alike = cut_by(Side(&alike_a, 1), Side(&alike_b, 1), use, {}, {});
    const bool keeps_own =
        use != Use::intervention && is_own_better(cut, alike, side_a, side_b, use);
    if (!keeps_own) cut = std::move(alike);
  }
  return {std::move(cut.a.front()), std::move(cut.b.front()), cut.settled};
}

ContrastedRuns contrasted_runs(Side a, Side b) {
  const stats::WarmupNeed of_a = shown_together(a), of_b = shown_together(b);
  ContrastedRuns own = cut_by(a, b, Use::measured, of_a, of_b);
  const stats::WarmupNeed longest = longer(longest_of(a, own.a), longest_of(b, own.b));
  const stats::WarmupNeed need = longer(longest, longer(of_a, of_b));
  ContrastedRuns alike = cut_by(a, b, Use::measured, need, need);
  return is_own_better(own, alike, a, b, Use::measured) ? own : alike;
}

bool are_warming(const WarmVisits& visits) {
  const std::size_t left = visits.visits.size();
  return is_enough(left + visits.excluded.size()) && (!visits.settled || !is_enough(left));
}

bool are_warming(const ContrastedVisits& visits) {
  return is_enough(pairs_of(visits, true)) &&
         (!visits.settled || !is_enough(pairs_of(visits, false)));
}

}  // namespace batchscope::timing
