#include "latency_evidence.hpp"

#include <fmt/format.h>

#include <array>

#include "batchscope/base/units.hpp"
#include "batchscope/stats/binomial.hpp"
#include "batchscope/stats/clustered_quantile.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/timing/visits.hpp"
#include "search/observe.hpp"

namespace batchscope::tune {
namespace {

using findings::LatencyCheck;

using Groups = std::vector<std::vector<double>>;

constexpr double kMsASecond = 1e3;

// Of the visits that measured and the fresh ones.
std::vector<timing::WarmVisits> visits_of_both(const schema::RunFile& run,
                                               const schema::RunConfig& config,
                                               const timing::Warmups& warmups) {
  return {timing::visits_of(run, config, timing::Use::measured, warmups),
          timing::visits_of(run, config, timing::Use::fresh, warmups)};
}

Groups iterations_by_visit(const std::vector<timing::WarmVisits>& of_both) {
  Groups groups;
  for (const timing::WarmVisits& visits : of_both) {
    for (const timing::SteadyVisit& visit : visits.visits) groups.push_back(warm_seconds(visit));
  }
  return groups;
}

std::vector<double> pooled(const Groups& groups) {
  std::vector<double> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

stats::Interval in_ms(double low_s, double high_s) {
  return {low_s * kMsASecond, high_s * kMsASecond};
}

void check_mean(const Groups& groups, double budget_s, LatencyCheck& check) {
  constexpr double kLevelOfMean = 0.95;
  std::vector<double> means;
  for (const auto& group : groups) means.push_back(stats::mean(group));
  check.supported = LatencyStatistic::mean;
  check.value_ms = stats::mean(means) * kMsASecond;
  const auto interval = stats::mean_interval(means, kLevelOfMean);
  if (!interval) return;
  check.interval_ms = in_ms(interval->low, interval->high);
  check.kept = interval->high <= budget_s;
}

LatencyCheck supported(const Groups& groups, const Goal& goal) {
  LatencyCheck check;
  const std::vector<double> all = pooled(groups);
  check.asked = goal.latency_of.value();
  check.visits = std::ssize(groups);
  check.samples = std::ssize(all);
  if (all.empty()) return check;
  const auto asked = probability_of(check.asked);
  if (!asked) {
    check_mean(groups, *goal.latency_budget_s, check);
    return check;
  }
  check.samples_needed = static_cast<int64_t>(stats::quantile_sample_size(*asked));
  const std::array from_the_top = {check.asked, LatencyStatistic::p99, LatencyStatistic::p90,
                                   LatencyStatistic::p50};
  check.value_ms = stats::quantile(all, 0.5) * kMsASecond;
  for (const LatencyStatistic statistic : from_the_top) {
    const double probability = *probability_of(statistic);
    if (probability > *asked) continue;
    const auto interval = stats::clustered_quantile_interval(groups, probability);
    if (!interval) continue;
    check.supported = statistic;
    check.value_ms = interval->value * kMsASecond;
    check.interval_ms = in_ms(interval->low, interval->high);
    // A lower quantile that keeps the budget says nothing of the one that was asked for.
    check.kept = statistic == check.asked && interval->high <= *goal.latency_budget_s;
    break;
  }
  return check;
}

}  // namespace

LatencyCheck latency_evidence(const schema::RunFile& run, std::size_t point, const Goal& goal,
                              const timing::Warmups& warmups) {
  const auto visits = visits_of_both(run, run.configs[point], warmups);
  LatencyCheck check = supported(iterations_by_visit(visits), goal);
  check.settled = timing::all_settled(visits);
  check.kept &= check.settled;
  if (!check.settled) check.interval_ms.reset();
  return check;
}

std::string exceeds_budget(const LatencyCheck& check, const Goal& goal) {
  const auto words = [](double ms) { return base::format_seconds(ms / kMsASecond); };
  const double budget_ms = *goal.latency_budget_s * kMsASecond;
  if (!check.interval_ms || check.interval_ms->low <= budget_ms) return "";
  return fmt::format("{} is {} (95 % CI {} to {}), over the budget of {}",
                     to_string(check.supported), words(check.value_ms),
                     words(check.interval_ms->low), words(check.interval_ms->high),
                     words(budget_ms));
}

}  // namespace batchscope::tune
