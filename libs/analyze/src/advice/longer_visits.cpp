#include "longer_visits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "batchscope/schema/visit.hpp"

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
    most = std::max(most, timed_s(*usable.visit));
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

double timed_s(const schema::Visit& visit) {
  double most_ns = 0;
  for (const schema::InstanceTimes& instance : schema::by_instance(visit)) {
    const auto& samples = instance.samples_ns;
    most_ns = std::max(most_ns, std::accumulate(samples.begin(), samples.end(), 0.0));
  }
  return kSPerNs * most_ns * static_cast<double>(visit.iterations_per_sample);
}

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
