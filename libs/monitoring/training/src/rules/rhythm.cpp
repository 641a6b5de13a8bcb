#include "rules/rhythm.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "batchscope/stats/binomial.hpp"
#include "batchscope/stats/descriptive.hpp"

namespace batchscope::training {
namespace {

constexpr std::size_t kFewestHits = 4;
constexpr double kLeastPresent = 0.6;
// Rhythms that chance may make of all candidates.
constexpr double kByChance = 1e-4;
constexpr std::size_t kNeighbours = 4;
constexpr double kMuchLonger = 4;

struct Candidate {
  int64_t period = 0;
  std::size_t first = 0;  // its place among the slow ones
};

// By so many steps each may come too early or too late: what is done by the clock, or at the end of
// an epoch, does.
int64_t slack_of(int64_t period) {
  constexpr int64_t kShort = 50, kShare = 100;
  return period < kShort ? 0 : std::max<int64_t>(1, period / kShare);
}

bool are_periods(int64_t distance, int64_t period) {
  const int64_t times = (distance + period / 2) / period;
  return times >= 1 && std::abs(distance - times * period) <= slack_of(period);
}

// The places of those that follow one another so, some left out. Each is expected from the one
// before, so that small departures do not add up.
std::vector<std::size_t> hits_of(std::span<const SlowStep> slow, const Candidate& candidate) {
  std::vector<std::size_t> hits{candidate.first};
  for (std::size_t i = candidate.first; i-- > 0;) {
    if (are_periods(slow[hits.back()].index - slow[i].index, candidate.period)) hits.push_back(i);
  }
  std::ranges::reverse(hits);
  for (std::size_t i = candidate.first + 1; i < slow.size(); ++i) {
    if (are_periods(slow[i].index - slow[hits.back()].index, candidate.period)) hits.push_back(i);
  }
  return hits;
}

// That a step is slow, of those within the slack of where one is expected. `lattice`: slow ones are
// at multiples of it only.
double density_of(std::span<const SlowStep> slow, int64_t period, int64_t lattice = 1) {
  const int64_t places = (slow.back().index - slow.front().index) / lattice + 1;
  const int64_t near = 1 + 2 * (slack_of(period) / lattice);
  return static_cast<double>(slow.size()) * static_cast<double>(near) / static_cast<double>(places);
}

// The more steps are slow, the more of them are at equal distances by chance.
std::size_t fewest_hits(std::span<const SlowStep> slow, int64_t period) {
  const double density = density_of(slow, period);
  if (density >= 1) return slow.size() + 1;
  const double candidates = static_cast<double>(slow.size() * kNeighbours);
  const double hits = 1 + std::log(candidates / kByChance) / -std::log(density);
  return std::max(kFewestHits, static_cast<std::size_t>(std::ceil(hits)));
}

// Whether chance makes at most kByChance rhythms with so many hits or more in so many places, with
// the first given: Chernoff's bound of a binomial tail, for each candidate.
bool is_beyond_chance(std::span<const SlowStep> slow, double hits, double places, int64_t period,
                      int64_t lattice) {
  const double p = density_of(slow, period, lattice), q = std::min(hits / places, 1.0);
  if (p >= 1 || q <= p) return false;
  const double candidates = static_cast<double>(slow.size() * kNeighbours);
  return std::log(candidates) - places * stats::divergence(q, p) <= std::log(kByChance);
}

// How many periods there are between the first and the last.
int64_t periods_of(std::span<const SlowStep> slow, const std::vector<std::size_t>& hits,
                   int64_t period) {
  return (slow[hits.back()].index - slow[hits.front()].index + period / 2) / period;
}

// Of many, most of the last ones are there as well: one that became slower was another.
bool goes_on(std::span<const SlowStep> slow, const std::vector<std::size_t>& hits, int64_t period) {
  constexpr int64_t kLate = 16, kMany = 2 * kLate, kFewest = 9;
  if (periods_of(slow, hits, period) < kMany) return true;
  const int64_t since = slow[hits.back()].index - kLate * period + period / 2;
  return std::ranges::count_if(hits, [&](std::size_t hit) { return slow[hit].index > since; }) >=
         kFewest;
}

bool is_rhythm(std::span<const SlowStep> slow, const std::vector<std::size_t>& hits, int64_t period,
               int64_t lattice) {
  if (hits.size() < kFewestHits) return false;
  const auto places = static_cast<double>(periods_of(slow, hits, period));
  const auto others = static_cast<double>(hits.size() - 1);
  return others + 1 >= kLeastPresent * (places + 1) && goes_on(slow, hits, period) &&
         is_beyond_chance(slow, others, places, period, period > lattice ? lattice : 1);
}

// Distances between slow steps that are near each other.
std::vector<Candidate> candidates_of(std::span<const SlowStep> slow) {
  std::vector<Candidate> found;
  std::set<std::pair<int64_t, int64_t>> known;  // period, place within it
  for (std::size_t i = 0; i < slow.size(); ++i) {
    for (std::size_t j = i + 1; j < std::min(slow.size(), i + 1 + kNeighbours); ++j) {
      const int64_t period = slow[j].index - slow[i].index;
      if (period > 1 && known.emplace(period, slow[i].index % period).second) {
        found.push_back({period, i});
      }
    }
  }
  return found;
}

Rhythm rhythm_of(std::span<const SlowStep> slow, const std::vector<std::size_t>& hits,
                 int64_t period) {
  std::vector<double> extra;
  for (const std::size_t hit : hits) extra.push_back(slow[hit].extra_seconds);
  const int64_t periods = std::max<int64_t>(1, periods_of(slow, hits, period));
  const int64_t spanned = slow[hits.back()].index - slow[hits.front()].index;
  double all = 0, waited = 0;
  for (const std::size_t hit : hits) {
    all += slow[hit].extra_seconds;
    waited += slow[hit].waited_seconds;
  }
  return {(spanned + periods / 2) / periods, stats::median(extra),
          all / static_cast<double>(periods + 1), std::ssize(hits), waited / all};
}

struct Taken {
  Rhythm rhythm;
  int64_t last = 0;  // index of its last step
};

// Takes those of the best rhythm out of `others`, but for what costs much more at its time.
std::optional<Taken> take_best(std::vector<SlowStep>& others, int64_t lattice = 1) {
  std::vector<std::size_t> best;
  int64_t period = 0;
  for (const Candidate& candidate : candidates_of(others)) {
    std::vector<std::size_t> hits = hits_of(others, candidate);
    if (hits.size() <= best.size() || !is_rhythm(others, hits, candidate.period, lattice)) continue;
    best = std::move(hits);
    period = candidate.period;
  }
  if (best.empty()) return std::nullopt;
  const Taken found{rhythm_of(others, best, period), others[best.back()].index};
  for (auto hit = best.rbegin(); hit != best.rend(); ++hit) {
    if (others[*hit].extra_seconds > kMuchLonger * found.rhythm.extra_seconds) continue;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(*hit));
  }
  return found;
}

using Parts = std::vector<std::vector<SlowStep>>;

// Of sorted sizes: how much those of either part, from `cut` on and before, differ from each other.
double spread_of_parts(std::span<const double> sorted, std::size_t cut) {
  std::vector<double> apart;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto own = i < cut ? sorted.first(cut) : sorted.subspan(cut);
    apart.push_back(sorted[i] - own[own.size() / 2]);
  }
  return stats::robust_std(apart);
}

// Where the sizes have their widest gap, with a rhythm's number of steps on each side; else those
// that take much longer than most.
double limit_of(std::span<const SlowStep> slow) {
  constexpr double kApart = 1.4, kSpreads = 3;
  std::vector<double> sizes;  // logarithms
  for (const SlowStep& step : slow) sizes.push_back(std::log(step.extra_seconds));
  std::ranges::sort(sizes);
  double widest = std::log(kApart);
  std::size_t cut = 0;
  for (std::size_t i = kFewestHits; i + kFewestHits <= sizes.size(); ++i) {
    if (sizes[i] - sizes[i - 1] < widest) continue;
    widest = sizes[i] - sizes[i - 1];
    cut = i;
  }
  if (cut > 0 && widest >= kSpreads * spread_of_parts(sizes, cut)) {
    return std::exp((sizes[cut] + sizes[cut - 1]) / 2);
  }
  return kMuchLonger * typical_extra_seconds(slow);
}

// The longest first. Logging and checkpoints at a multiple of it would be one rhythm, of neither's
// cost.
Parts by_size(std::span<const SlowStep> slow, int depth = 2) {
  std::vector<SlowStep> shorter, longer;
  const double limit = slow.empty() ? 0 : limit_of(slow);
  for (const SlowStep& step : slow) {
    (step.extra_seconds > limit ? longer : shorter).push_back(step);
  }
  if (longer.empty() || shorter.empty() || depth == 0) return {{slow.begin(), slow.end()}};
  Parts parts = by_size(longer, depth - 1);
  for (auto& part : by_size(shorter, depth - 1)) parts.push_back(std::move(part));
  return parts;
}

// One that has stopped is no rhythm, nor what is left of it at a multiple of its period.
Rhythms rhythms_of(Parts parts, int64_t now, std::size_t most) {
  Rhythms rhythms;
  for (std::vector<SlowStep>& part : parts) {
    while (rhythms.found.size() < most && part.size() >= kFewestHits) {
      const auto taken = take_best(part);
      if (!taken) break;
      if (now - taken->last <= 2 * taken->rhythm.period) rhythms.found.push_back(taken->rhythm);
    }
    rhythms.others.insert(rhythms.others.end(), part.begin(), part.end());
  }
  std::ranges::sort(rhythms.others, {}, &SlowStep::index);
  return rhythms;
}

}  // namespace

double typical_extra_seconds(std::span<const SlowStep> slow) {
  std::vector<double> extra;
  for (const SlowStep& step : slow) extra.push_back(step.extra_seconds);
  return stats::median(extra);
}

bool are_the_same(const Rhythm& a, const Rhythm& b) {
  constexpr int64_t kMostTimes = 4;
  const auto [shorter, longer] = std::minmax(a.period, b.period);
  const auto [less, more] = std::minmax(a.extra_seconds, b.extra_seconds);
  const int64_t times = (longer + shorter / 2) / shorter;
  return more <= 2 * less && times <= kMostTimes &&
         std::abs(longer - times * shorter) <= std::max<int64_t>(1, slack_of(longer));
}

bool may_be_a_rhythm(std::span<const SlowStep> slow) {
  if (slow.size() < 2) return true;
  const int64_t shortest =
      (slow.back().index - slow.front().index) / static_cast<int64_t>(slow.size() - 1);
  return slow.size() <= fewest_hits(slow, shortest);
}

namespace {

// One rhythm of uneven steps may fall apart by size: what leaves far fewer over is right.
Rhythms rhythms_of_late(std::span<const SlowStep> slow, int64_t now, std::size_t most) {
  Parts parts = by_size(slow);
  const bool is_one = parts.size() == 1;
  Rhythms apart = rhythms_of(std::move(parts), now, most);
  if (is_one) return apart;
  Rhythms together = rhythms_of(Parts{{slow.begin(), slow.end()}}, now, most);
  const std::size_t clearly = slow.size() / 8;
  return together.others.size() + clearly < apart.others.size() ? together : apart;
}

// The rhythm that those are part of, if most are: of uneven steps the longest are at multiples of
// its period, and would be rhythms by chance.
int64_t lattice_of(std::span<const SlowStep> slow, const std::vector<Rhythm>& rhythms) {
  constexpr double kMost = 0.8;
  for (const Rhythm& rhythm : rhythms) {
    int64_t fit = 0;
    for (std::size_t i = 1; i < slow.size(); ++i) {
      fit += are_periods(slow[i].index - slow[i - 1].index, rhythm.period) ? 1 : 0;
    }
    if (static_cast<double>(fit) >= kMost * static_cast<double>(slow.size() - 1)) {
      return rhythm.period;
    }
  }
  return 1;
}

// Of long ones, which may be far apart.
void add_rhythms_of_long(std::vector<SlowStep> slow, int64_t now, std::size_t most, Rhythms& to) {
  if (slow.size() < kFewestHits) return;
  const int64_t lattice = lattice_of(slow, to.found);
  while (slow.size() >= kFewestHits) {
    const auto taken = take_best(slow, lattice);
    if (!taken) break;
    if (now - taken->last > 2 * taken->rhythm.period) continue;
    std::erase_if(to.found, [&](const Rhythm& one) { return are_the_same(one, taken->rhythm); });
    to.found.insert(to.found.begin(), taken->rhythm);
    if (to.found.size() > most) to.found.pop_back();
  }
  std::erase_if(to.others, [&](const SlowStep& one) {
    return one.is_long && std::ranges::find(slow, one.index, &SlowStep::index) == slow.end();
  });
}

}  // namespace

Rhythms rhythms_of(std::span<const SlowStep> slow, int64_t now, std::size_t most) {
  std::vector<SlowStep> longest;
  std::ranges::copy_if(slow, std::back_inserter(longest), &SlowStep::is_long);
  const auto late = std::ranges::find_if_not(slow, &SlowStep::is_long);
  Rhythms rhythms =
      rhythms_of_late(slow.subspan(static_cast<std::size_t>(late - slow.begin())), now, most);
  add_rhythms_of_long(std::move(longest), now, most, rhythms);
  return rhythms;
}

}  // namespace batchscope::training
