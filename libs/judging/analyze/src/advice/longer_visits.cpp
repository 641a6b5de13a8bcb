#include "longer_visits.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/timing/visits.hpp"

namespace batchscope::analyze {
namespace {

using tables::ConfigData;

constexpr double kSPerNs = 1e-9;
constexpr double kSeveral = 5;  // slow iterations that a visit should hold
constexpr double kSettled = 3;  // times as long as visits that were still warming up
constexpr double kMostS = 600;
// What a visit may miss of slow iterations, ln units: two sizes can then be told from each other
// where they differ by more than twice that.
constexpr double kMayMiss = 0.02;
// Times as long as now, where slow iterations are few and how many there are is hardly known.
constexpr double kMostTimes = 10;

double longest_s(const ConfigData& config) {
  double most = 0;
  for (const tables::UsableVisit& usable : config.visits) {
    most = std::max(most, timing::timed_s(*usable.visit));
  }
  return most;
}

double mean_s(const ConfigData& config) {
  double longest = 0;
  for (const tables::UsableVisit& visit : config.visits) {
    longest = std::max(longest, kSPerNs * timing::mean_ns(visit));
  }
  return longest;
}

// One slow iteration more or less counts for so much less in a visit of more iterations; where they
// come at random, as the root of that.
double times_to_miss_little(const ConfigData& config, bool in_phase) {
  const double missed = std::max(config.unseen.longer, config.unseen.shorter);
  const double times = std::pow(missed / kMayMiss, in_phase ? 1 : 2);
  return std::clamp(times, 1.0, kMostTimes);
}

}  // namespace

int longer_visit_s(const tables::RunView& view) {
  double every = 0;
  bool in_phase = false;
  for (const timing::SlowOfModel& slow : view.slow.models()) {
    every = std::max(every, slow.every);
    in_phase |= slow.in_phase;
  }
  double needed = 2 * view.run->header.plan.min_visit_s;
  for (const tables::GroupData& group : view.groups) {
    for (const ConfigData& config : group.configs) {
      const double now = longest_s(config);
      needed = std::max(needed, 2 * now);
      if (!config.settled) needed = std::max(needed, kSettled * now);
      if (config.unseen.longer <= 0) continue;
      needed = std::max({needed, kSeveral * every * mean_s(config),
                         now * times_to_miss_little(config, in_phase)});
    }
  }
  return static_cast<int>(std::ceil(std::min(needed, kMostS)));
}

}  // namespace batchscope::analyze
