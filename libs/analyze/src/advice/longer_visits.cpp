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
constexpr double kMostS = 60;

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

}  // namespace

int longer_visit_s(const tables::RunView& view) {
  double every = 0;
  for (const timing::SlowOfModel& slow : view.slow.models()) every = std::max(every, slow.every);
  double needed = 0;
  for (const tables::GroupData& group : view.groups) {
    for (const ConfigData& config : group.configs) {
      const double now = longest_s(config);
      needed = std::max(needed, 2 * now);
      if (!config.settled) needed = std::max(needed, kSettled * now);
      if (config.unseen.longer > 0) needed = std::max(needed, kSeveral * every * mean_s(config));
    }
  }
  return static_cast<int>(std::ceil(std::min(needed, kMostS)));
}

}  // namespace batchscope::analyze
