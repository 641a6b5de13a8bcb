#include "rules/rhythm.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::training {
namespace {

constexpr std::size_t kFewestHits = 4;
constexpr double kLeastPresent = 0.6;
// Rhythms that chance may make of all candidates.
constexpr double kByChance = 0.01;
constexpr std::size_t kNeighbours = 4;

struct Candidate {
  int64_t period = 0, place = 0;  // one of its steps
};

bool is_hit(const SlowStep& step, const Candidate& candidate) {
  return (step.index - candidate.place) % candidate.period == 0;
}

struct Score {
  std::size_t hits = 0;
  int64_t first = 0, last = 0;
};

Score score_of(std::span<const SlowStep> slow, const Candidate& candidate) {
  Score score;
  for (const SlowStep& step : slow) {
    if (!is_hit(step, candidate)) continue;
    if (score.hits++ == 0) score.first = step.index;
    score.last = step.index;
  }
  return score;
}

// The more steps are slow, the more of them are at equal distances by chance.
std::size_t fewest_hits(std::span<const SlowStep> slow) {
  const auto n = static_cast<double>(slow.size());
  const double density = n / static_cast<double>(slow.back().index - slow.front().index + 1);
  if (density >= 1) return slow.size() + 1;
  const double candidates = n * static_cast<double>(kNeighbours);
  const double hits = 1 + std::log(candidates / kByChance) / -std::log(density);
  return std::max(kFewestHits, static_cast<std::size_t>(std::ceil(hits)));
}

bool is_rhythm(const Score& score, std::size_t fewest, int64_t period, int64_t now) {
  if (score.hits < fewest || now - score.last > 2 * period) return false;
  const int64_t expected = (score.last - score.first) / period + 1;
  return static_cast<double>(score.hits) >= kLeastPresent * static_cast<double>(expected);
}

// Distances between slow steps that are near each other.
std::set<std::pair<int64_t, int64_t>> candidates_of(std::span<const SlowStep> slow) {
  std::set<std::pair<int64_t, int64_t>> found;  // period, place within it
  for (std::size_t i = 0; i < slow.size(); ++i) {
    for (std::size_t j = i + 1; j < std::min(slow.size(), i + 1 + kNeighbours); ++j) {
      const int64_t period = slow[j].index - slow[i].index;
      if (period > 1) found.emplace(period, slow[i].index % period);
    }
  }
  return found;
}

}  // namespace

Rhythms rhythms_of(std::span<const SlowStep> slow, int64_t now, std::size_t most) {
  Rhythms rhythms{{}, {slow.begin(), slow.end()}};
  while (rhythms.found.size() < most && rhythms.others.size() >= kFewestHits) {
    Candidate best;
    std::size_t hits = 0;
    const std::size_t fewest = fewest_hits(rhythms.others);
    for (const auto& [period, place] : candidates_of(rhythms.others)) {
      const Score score = score_of(rhythms.others, {period, place});
      if (score.hits <= hits || !is_rhythm(score, fewest, period, now)) continue;
      best = {period, place};
      hits = score.hits;
    }
    if (hits == 0) break;
    std::vector<double> extra;
    for (const SlowStep& step : rhythms.others) {
      if (is_hit(step, best)) extra.push_back(step.extra_seconds);
    }
    rhythms.found.push_back({best.period, stats::median(extra)});
    std::erase_if(rhythms.others, [&](const SlowStep& step) { return is_hit(step, best); });
  }
  return rhythms;
}

}  // namespace batchscope::training
