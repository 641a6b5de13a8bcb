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

using Groups = std::vector<std::vector<double>>;

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
    for (const timing::WarmVisit& visit : visits.visits) groups.push_back(warm_seconds(visit));
  }
  return groups;
}

std::vector<double> pooled(const Groups& groups) {
  std::vector<double> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

void vouch_for_mean(const Groups& groups, double budget_s, LatencyEvidence& evidence) {
  constexpr double kLevelOfMean = 0.95;
  std::vector<double> means;
  for (const auto& group : groups) means.push_back(stats::mean(group));
  evidence.vouched = LatencyStatistic::mean;
  evidence.value_s = stats::mean(means);
  const auto interval = stats::mean_interval(means, kLevelOfMean);
  if (!interval) return;
  evidence.interval_s = stats::Interval{interval->low, interval->high};
  evidence.kept = interval->high <= budget_s;
}

LatencyEvidence vouched_for(const Groups& groups, const Goal& goal) {
  LatencyEvidence evidence;
  const std::vector<double> all = pooled(groups);
  evidence.asked = goal.latency_of;
  evidence.visits = groups.size();
  evidence.samples = all.size();
  if (all.empty()) return evidence;
  const auto asked = probability_of(goal.latency_of);
  if (!asked) {
    vouch_for_mean(groups, *goal.latency_budget_s, evidence);
    return evidence;
  }
  evidence.needed = stats::quantile_sample_size(*asked);
  constexpr std::array kFromTheTop = {LatencyStatistic::p99, LatencyStatistic::p90,
                                      LatencyStatistic::p50};
  evidence.value_s = stats::quantile(all, 0.5);
  for (const LatencyStatistic statistic : kFromTheTop) {
    const double probability = *probability_of(statistic);
    if (probability > *asked) continue;
    const auto interval = stats::clustered_quantile_interval(groups, probability);
    if (!interval) continue;
    evidence.vouched = statistic;
    evidence.value_s = interval->value;
    evidence.interval_s = stats::Interval{interval->low, interval->high};
    // A lower quantile that keeps the budget says nothing of the one that was asked for.
    evidence.kept = statistic == goal.latency_of && interval->high <= *goal.latency_budget_s;
    break;
  }
  return evidence;
}

}  // namespace

LatencyEvidence latency_evidence(const schema::RunFile& run, std::size_t point, const Goal& goal,
                                 const timing::Warmups& warmups) {
  const auto visits = visits_of_both(run, run.configs[point], warmups);
  LatencyEvidence evidence = vouched_for(iterations_by_visit(visits), goal);
  evidence.settled = timing::all_settled(visits);
  evidence.kept &= evidence.settled;
  return evidence;
}

std::string exceeds_budget(const LatencyEvidence& evidence, const Goal& goal) {
  if (!evidence.settled) return "";
  if (!evidence.interval_s || evidence.interval_s->low <= *goal.latency_budget_s) return "";
  return fmt::format("{} takes {} (interval {} to {}), over the budget of {}",
                     to_string(evidence.vouched), base::format_seconds(evidence.value_s),
                     base::format_seconds(evidence.interval_s->low),
                     base::format_seconds(evidence.interval_s->high),
                     base::format_seconds(*goal.latency_budget_s));
}

}  // namespace batchscope::tune
