#include "batchscope/timing/contrasted.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "batchscope/stats/descriptive.hpp"
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

bool is_settled(const ContrastedRuns& cut) {
  const auto settled = [](const WarmVisits& each) { return each.settled; };
  return std::all_of(cut.a.begin(), cut.a.end(), settled) &&
         std::all_of(cut.b.begin(), cut.b.end(), settled);
}

bool loses_visits(const ContrastedRuns& cut, const ContrastedRuns& than) {
  const auto keeps = [](const WarmVisits& a, const WarmVisits& b) {
    return a.visits.size() >= b.visits.size();
  };
  return !std::equal(cut.a.begin(), cut.a.end(), than.a.begin(), keeps) ||
         !std::equal(cut.b.begin(), cut.b.end(), than.b.begin(), keeps);
}

double typical_of(const std::vector<WarmVisits>& side) {
  std::vector<double> logs;
  for (const WarmVisits& each : side) {
    const std::vector<double> own = logs_of(each.visits, typical_ns);
    logs.insert(logs.end(), own.begin(), own.end());
  }
  return logs.empty() ? 0 : std::exp(stats::median(logs));
}

// So much longer take the iterations of one side than those of the other: what a visit of either
// needs is no count that they share, and no rest of a warm-up is what tells them apart.
constexpr double kOtherLength = 1.5;

bool differ_in_length(const ContrastedRuns& cut) {
  const double a = typical_of(cut.a), b = typical_of(cut.b);
  return a > 0 && b > 0 && std::max(a, b) > kOtherLength * std::min(a, b);
}

ContrastedRuns better(ContrastedRuns own, ContrastedRuns alike) {
  const bool costs = !alike.settled || loses_visits(alike, own);
  return costs && own.settled && differ_in_length(own) ? std::move(own) : std::move(alike);
}

// Of the visits of all its runs together; what a single one shows is in its warm-ups.
stats::WarmupNeed shown_together(Side side) {
  std::vector<Series> all;
  if (side.size() < 2) return {};
  for (const ConfigInRun& each : side) {
    if (each.config == nullptr || has_none(*each.run)) continue;
    const std::vector<Series> series = series_of(*each.run, *each.config, Use::measured);
    all.insert(all.end(), series.begin(), series.end());
  }
  return stats::needed_warmup(spans(all));
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

// Both sides of a comparison, and what the visits of each need.
class Sides {
 public:
  Sides(Side a, Side b, Use use)
      : a_(a), b_(b), use_(use), need_a_(shown_together(a)), need_b_(shown_together(b)) {}

  ContrastedRuns by_own() const { return cut(need_a_, need_b_); }
  ContrastedRuns alike(const ContrastedRuns& own) const {
    const stats::WarmupNeed longest = longer(longest_of(a_, own.a), longest_of(b_, own.b));
    const stats::WarmupNeed need = longer(longest, longer(need_a_, need_b_));
    return cut(need, need);
  }

 private:
  ContrastedRuns cut(const stats::WarmupNeed& need_a, const stats::WarmupNeed& need_b) const {
    ContrastedRuns made{cut_by(a_, use_, need_a), cut_by(b_, use_, need_b)};
    made.settled = is_settled(made);
    return made;
  }
  static stats::WarmupNeed longest_of(Side side, const std::vector<WarmVisits>& own) {
    stats::WarmupNeed longest;
    for (std::size_t i = 0; i < side.size(); ++i) {
      if (own[i].visits.empty() || has_none(*side[i].run)) continue;
      const WarmVisit& first = own[i].visits.front();
      longest = longer(longest, side[i].warmups->of(first.visit->config, typical_ns(first)));
    }
    return longest;
  }

  Side a_, b_;
  Use use_;
  stats::WarmupNeed need_a_, need_b_;
};

}  // namespace

ContrastedVisits contrasted_visits(const schema::RunFile& run, const schema::RunConfig& a,
                                   const schema::RunConfig& b, Use use, const Warmups& warmups) {
  const Warmups shown = shown_in(run, use, warmups);
  const ConfigInRun place_a{&run, &a, &shown}, place_b{&run, &b, &shown};
  const Sides sides(std::span(&place_a, 1), std::span(&place_b, 1), use);
  ContrastedRuns cut = sides.by_own();
  if (a.shape.batch_size == b.shape.batch_size) {
    ContrastedRuns alike = sides.alike(cut);
    cut = use == Use::intervention ? std::move(alike) : better(std::move(cut), std::move(alike));
  }
  return {std::move(cut.a.front()), std::move(cut.b.front()), cut.settled};
}

ContrastedRuns contrasted_runs(Side a, Side b) {
  const Sides sides(a, b, Use::measured);
  ContrastedRuns own = sides.by_own();
  ContrastedRuns alike = sides.alike(own);
  return better(std::move(own), std::move(alike));
}

}  // namespace batchscope::timing
