#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "batchscope/findings/wording.hpp"
#include "warnings.hpp"

namespace batchscope::analyze {
namespace {

using findings::percent;
using findings::three_digits;

constexpr double kMostSteal = 0.01;      // share of the CPU time
constexpr double kMostOthersLoad = 0.2;  // CPUs
constexpr double kLeastClock = 0.75;     // of the default SM clock

using Measure = std::function<std::optional<double>(const schema::Visit&)>;

struct Tally {
  int seen = 0;
  int bad = 0;
  double worst = 0;
};

Tally tally(const RunView& view, const Measure& measure, const std::function<bool(double)>& is_bad,
            bool largest_is_worst) {
  Tally result;
  for (const GroupData& group : view.groups) {
    for (const ConfigData& config : group.configs) {
      for (const UsableVisit& usable : config.visits) {
        const auto value = measure(*usable.visit);
        if (!value) continue;
        const bool worse = largest_is_worst ? *value > result.worst : *value < result.worst;
        if (result.seen == 0 || worse) result.worst = *value;
        ++result.seen;
        if (is_bad(*value)) ++result.bad;
      }
    }
  }
  return result;
}

std::string in_visits(const Tally& found) {
  return fmt::format("in {} of {} visits", found.bad, found.seen);
}

}  // namespace

std::vector<std::string> fitness_warnings(const RunView& view) {
  std::vector<std::string> warnings;
  const auto above = [](double limit) { return [limit](double value) { return value > limit; }; };
  const auto below = [](double limit) { return [limit](double value) { return value < limit; }; };
  const auto as_double = [](const std::optional<int64_t>& value) {
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
  };
  const Tally steal = tally(
      view, [](const auto& v) { return v.fitness.steal_ratio; }, above(kMostSteal), true);
  if (steal.bad > 0) {
    warnings.push_back(fmt::format(
        "The hypervisor took CPU time away {} (at most {}): times are longer and noisier than the "
        "machine's own.",
        in_visits(steal), percent(steal.worst)));
  }
  const Tally load = tally(
      view, [](const auto& v) { return v.fitness.others_load; }, above(kMostOthersLoad), true);
  if (load.bad > 0) {
    warnings.push_back(fmt::format(
        "Other processes were busy {} (up to {} CPUs): stop them, or measure at a quieter time.",
        in_visits(load), three_digits(load.worst)));
  }
  const Tally throttled = tally(
      view, [&](const auto& v) { return as_double(v.fitness.throttled_ns); }, above(0), true);
  if (throttled.bad > 0) {
    warnings.push_back(fmt::format(
        "The CPU quota of the cgroup stopped the work {}: use fewer threads, or raise the quota.",
        in_visits(throttled)));
  }
  const Tally clock = tally(
      view, [](const auto& v) { return v.fitness.clock_ratio; }, below(kLeastClock), false);
  if (clock.bad > 0) {
    warnings.push_back(
        fmt::format("The GPU ran below 75 % of its default clock {} (down to {}): look for power "
                    "or heat limits.",
                    in_visits(clock), percent(clock.worst)));
  }
  const Tally gpu = tally(
      view, [&](const auto& v) { return as_double(v.fitness.other_gpu_processes); }, above(0),
      true);
  if (gpu.bad > 0) {
    warnings.push_back(fmt::format("Other processes used the GPU {}: their work is in the times.",
                                   in_visits(gpu)));
  }
  return warnings;
}

}  // namespace batchscope::analyze
