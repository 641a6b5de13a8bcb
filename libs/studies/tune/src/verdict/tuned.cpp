#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "batchscope/analyze/training_advice.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/tables/split_search.hpp"
#include "batchscope/timing/visits.hpp"
#include "batchscope/timing/warmups.hpp"
#include "batchscope/tune/tune.hpp"
#include "headline.hpp"
#include "latency_evidence.hpp"
#include "search/observe.hpp"
#include "verdict.hpp"

namespace batchscope::tune {
namespace {

// What the visits of a point showed that took no part in choosing it: the rate is work over time,
// samples over the visits' mean iterations, whose mean is geometric as in tables; the latency is
// the bounded statistic of all their iterations. Absent: it has no such visits.
std::optional<Figures> fresh_figures(const schema::RunFile& run, std::size_t point,
                                     const Goal& goal, const timing::Warmups& warmups) {
  const timing::WarmVisits visits =
      timing::visits_of(run, run.configs[point], timing::Use::fresh, warmups);
  if (visits.visits.empty()) return std::nullopt;
  const auto seconds = [&](timing::TimeOfVisit time) {
    return timing::over_visits(timing::logs_of(visits.visits, time)).value * kSecondsANanosecond;
  };
  Figures made;
  made.mean_s = seconds(timing::mean_ns);
  made.typical_s = seconds(timing::typical_ns);
  std::vector<double> iterations;
  for (const timing::SteadyVisit& visit : visits.visits) {
    const std::vector<double> its = warm_seconds(visit);
    iterations.insert(iterations.end(), its.begin(), its.end());
  }
  const auto probability = probability_of(goal.latency_of.value());
  made.latency_s =
      probability ? stats::quantile(iterations, *probability) : stats::mean(iterations);
  // The headline tells it, as the typical iteration.
  if (goal.latency_of == LatencyStatistic::p50) made.latency_s = made.typical_s;
  made.rate = static_cast<double>(schema::samples_at_once(run.configs[point])) / made.mean_s;
  made.fresh_visits = static_cast<int>(visits.visits.size());
  return made;
}

// A size and its best estimate.
struct SizeTime {
  int64_t size = 0;
  double time_s = 0;
};

// Of ascending sizes those that no split into the others beats by more than what counts as slower.
std::vector<int64_t> not_beaten_by_splits(const std::vector<SizeTime>& measured) {
  constexpr double kWorseBy = 0.03;
  std::vector<int64_t> sizes, good;
  std::vector<double> times;
  for (const SizeTime& each : measured) {
    sizes.push_back(each.size);
    times.push_back(each.time_s);
  }
  for (const SizeTime& each : measured) {
    const auto split = tables::cheapest_split(sizes, times, each.size);
    if (!split || each.time_s <= (1 + kWorseBy) * split->time) good.push_back(each.size);
  }
  return good;
}

// What speaks against believing the outcome.
std::vector<std::string> warnings_of(const timing::Warmups& warmups, const SearchOutcome& outcome,
                                     const schema::RunConfig& pick) {
  std::vector<std::string> warnings;
  for (const stats::WarmupNeed& need :
       {warmups.pooled().short_iterations, warmups.pooled().long_iterations}) {
    if (need.iterations == 0 || need.determined) continue;
    warnings.push_back(
        fmt::format("after {}, the counted iterations may still include warm-up, above all with "
                    "slow batches; use longer visits (--min-visit-time 5s)",
                    base::counted(need.iterations, "warm-up iteration")));
  }
  for (const auto& [why, points] : outcome.left_out) {
    warnings.push_back(
        fmt::format("{} point{} excluded: {}", points, points == 1 ? " is" : "s are", why));
  }
  if (pick.mode != schema::Mode::train || pick.precision == schema::Precision::fp32) {
    return warnings;
  }
  schema::RunConfig exact = pick;
  exact.precision = schema::Precision::fp32;
  const auto twin = std::find(outcome.grid.begin(), outcome.grid.end(), exact);
  const bool known = twin != outcome.grid.end();
  const auto place = static_cast<std::size_t>(twin - outcome.grid.begin());
  if (known && estimate_of(outcome, place) != nullptr) return warnings;
  warnings.push_back(fmt::format(
      "the losses in {} have no fp32 losses to compare with: {} to check that training "
      "is equivalent",
      schema::to_string(pick.precision),
      known ? "fp32 has no measurement at this size; raise --budget" : "add fp32 to --precision"));
  return warnings;
}

// Of training: what a step of other samples asks of the optimizer, and what else could be tried.
std::vector<std::string> advice_of(const schema::RunFile& run, const SearchOutcome& outcome,
                                   const schema::RunConfig& pick, std::size_t usual) {
  std::vector<std::string> advice;
  if (pick.mode != schema::Mode::train) return advice;
  // Where its samples are stated, every step takes as many, whichever size is the current one.
  const bool same_samples = schema::states_effective_batch(run.header);
  const auto current = same_samples ? std::nullopt : run.header.plan.current_batch_size;
  const int64_t from = analyze::samples_before(outcome.grid[usual], current);
  if (const auto rate = analyze::learning_rate_finding(pick, from)) {
    advice.push_back(rate->what + " " + rate->fix);
  }
  const auto [least, most] = std::minmax_element(
      outcome.grid.begin(), outcome.grid.end(), [](const auto& a, const auto& b) {
        return schema::effective_batch(a) < schema::effective_batch(b);
      });
  if (schema::effective_batch(*least) != schema::effective_batch(*most)) {
    advice.push_back(
        fmt::format("The ranking of settings with {} to {} samples per step counts speed alone. "
                    "--effective-batch fixes the samples per step.",
                    schema::effective_batch(*least), schema::effective_batch(*most)));
  }
  const bool out = std::any_of(run.events.begin(), run.events.end(), [](const auto& event) {
    return failure_of(event) == FailureKind::out_of_memory;
  });
  const bool checkpoints = std::any_of(outcome.grid.begin(), outcome.grid.end(),
                                       [](const auto& each) { return each.checkpointing; });
  if (out && !checkpoints) {
    advice.push_back(
        "Some sizes ran out of memory. For a built-in transformer, --checkpointing auto tries them "
        "with recomputed layers.");
  }
  return advice;
}

// Where nothing could be measured, what most visits ended in.
std::string failure_words(const schema::RunFile& run, const Goal& goal) {
  std::map<std::string, int> counts;
  int all = 0;
  bool out_of_memory = false;
  for (const schema::Event& event : run.events) {
    const auto failure = failure_of(event);
    if (!failure) continue;
    ++all;
    ++counts[schema::in_words(event)];
    out_of_memory |= failure == FailureKind::out_of_memory;
  }
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == counts.end()) return "";
  std::string words =
      fmt::format(" {} of {} ended in {}.", most->second, base::counted(all, "visit"), most->first);
  if (goal.memory_limit_bytes && out_of_memory) {
    words += fmt::format(
        " The memory limit of {} is too small: a worker needs more before its first batch.",
        base::format_bytes(*goal.memory_limit_bytes));
  }
  return words;
}

// A search has too few visits of most sizes to prove anything of them: by its estimates.
std::vector<int64_t> good_sizes_of(const SearchOutcome& outcome, std::size_t point) {
  const schema::RunConfig setting = schema::without_batch_size(outcome.grid[point]);
  std::vector<SizeTime> measured;
  for (const PointEstimate& each : outcome.estimates) {
    const schema::RunConfig& config = outcome.grid[each.point];
    const bool here =
        each.feasible && each.left_out.empty() && schema::without_batch_size(config) == setting;
    const bool by_latency = outcome.goal.objective == Objective::latency;
    const double time_s = by_latency ? each.typical_s : each.mean_s;
    if (here) measured.push_back({config.shape.batch_size, time_s});
  }
  std::sort(measured.begin(), measured.end(),
            [](const SizeTime& a, const SizeTime& b) { return a.size < b.size; });
  return not_beaten_by_splits(measured);
}

// What ended a run before its search and the comparison were over; empty: nothing did.
std::string cut_short_words(const schema::RunFile& run, const SearchOutcome& outcome) {
  if (!run.end || run.end->reason != schema::EndReason::budget) return "";
  return fmt::format("stopped: the budget of {} ran out; {} of {} measured",
                     base::format_seconds(run.header.plan.budget_s * run.budgets_spent),
                     outcome.points_measured, base::counted(outcome.points_total, "setting"));
}

Tuned begun(const Search& search, std::optional<int64_t> current_batch_size) {
  Tuned tuned;
  tuned.outcome = outcome_of(search);
  tuned.chosen = tuned.outcome.pick;
  tuned.message = tuned.outcome.message;
  tuned.standard = default_point(tuned.outcome.grid, current_batch_size);
  return tuned;
}

// A default that the search had no reason to look at, and that stays, is known from its fresh
// visits alone. It stands last: the search says nothing of its place.
void put_estimate(const schema::RunFile& run, const timing::Warmups& warmups, Tuned& tuned) {
  if (estimate_of(tuned.outcome, *tuned.chosen) != nullptr || !tuned.fresh) return;
  PointEstimate made;
  made.point = *tuned.chosen;
  made.visits = tuned.fresh->fresh_visits;
  made.mean_s = tuned.fresh->mean_s;
  made.typical_s = tuned.fresh->typical_s;
  made.latency_s = tuned.fresh->latency_s;
  made.rate = tuned.fresh->rate;
  made.memory_bytes = seen_of(run, made.point, tuned.outcome.goal, warmups)->memory_bytes;
  tuned.outcome.estimates.push_back(made);
}

// By its fresh visits, where it has some.
std::string headline(const Tuned& tuned, double practical) {
  const SearchOutcome& outcome = tuned.outcome;
  if (!outcome.feasible) return outcome.message;
  const schema::RunConfig& config = outcome.grid[*tuned.chosen];
  const Figures figures =
      tuned.fresh ? *tuned.fresh : figures_of(*estimate_of(outcome, *tuned.chosen));
  if (tuned.chosen == outcome.pick) return use_words(config, figures, outcome.goal);
  if (tuned.undecided) return open_words(config, figures, outcome.goal);
  return keep_words(config, figures, outcome.goal, outcome.grid[*outcome.pick], practical);
}

// What fresh visits say of what the search found, and what that makes of the choice.
void judge_and_choose(const schema::RunFile& run, const Search& search, double practical,
                      const timing::Warmups& warmups, Tuned& tuned) {
  const Goal& goal = search.goal();
  const auto latency_of = [&](std::size_t point) {
    return latency_evidence(run, point, goal, warmups);
  };
  if (goal.latency_budget_s) tuned.latency = latency_of(*tuned.outcome.pick);
  judge(run, search, practical, warmups, tuned);
  tuned.fresh = fresh_figures(run, *tuned.chosen, goal, warmups);
  if (tuned.chosen == tuned.outcome.pick) return;
  put_estimate(run, warmups, tuned);
  if (!goal.latency_budget_s) return;
  tuned.latency = latency_of(*tuned.chosen);
  tuned.verified = tuned.verified && tuned.latency->kept;
}

}  // namespace

Tuned tuned_of(const schema::RunFile& run, const TunePlan& plan) {
  const Search search = search_of(run, plan);
  Tuned tuned = begun(search, run.header.plan.current_batch_size);
  if (run.end) tuned.end_reason = run.end->reason;
  tuned.cut_short = cut_short_words(run, tuned.outcome);
  if (!tuned.chosen) {
    tuned.outcome.message += failure_words(run, plan.goal);
    tuned.message = tuned.outcome.message;
    return tuned;
  }
  const timing::Warmups warmups = timing::warmups_of(run);
  judge_and_choose(run, search, plan.goal.practical.value_or(findings::kPractical), warmups, tuned);
  const SearchOutcome& outcome = tuned.outcome;
  const schema::RunConfig& config = outcome.grid[*tuned.chosen];
  tuned.message = headline(tuned, plan.goal.practical.value_or(findings::kPractical));
  tuned.good_sizes = good_sizes_of(outcome, *tuned.chosen);
  tuned.advice = advice_of(run, outcome, config, tuned.standard);
  tuned.warnings = warnings_of(warmups, outcome, config);
  return tuned;
}

Tuned tuned_of(const Search& search, std::optional<int64_t> current_batch_size, double practical) {
  Tuned tuned = begun(search, current_batch_size);
  if (!tuned.chosen) return tuned;
  hold_against_default(practical, tuned);
  tuned.message = headline(tuned, practical);
  tuned.good_sizes = good_sizes_of(tuned.outcome, *tuned.chosen);
  return tuned;
}

}  // namespace batchscope::tune
