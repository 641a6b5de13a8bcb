#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "batchscope/analyze/split_search.hpp"
#include "batchscope/analyze/training_advice.hpp"
#include "batchscope/base/percent.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/tune/tune.hpp"
#include "latency_check.hpp"
#include "observe.hpp"

namespace batchscope::tune {
namespace {

constexpr int kFewestPairs = 6;
constexpr double kLevel = 0.95;

// ln time by block, of fresh visits.
std::map<int, double> fresh_logs(const schema::RunFile& run, std::size_t point, const Goal& goal) {
  std::map<int, double> logs;
  for (const schema::Visit& visit : run.visits) {
    const bool mine = visit.config == static_cast<int>(point) && !visit.samples_ns.empty();
    if (!mine || visit.purpose != schema::Purpose::verify) continue;
    logs.emplace(visit.block, std::log(observe(visit, run.configs[point], goal).time_s));
  }
  return logs;
}

std::optional<schema::FreshContrast> contrast(const schema::RunFile& run, const Outcome& outcome,
                                              std::size_t other, std::string what) {
  const std::size_t pick = *outcome.pick;
  if (other == pick) return std::nullopt;
  const auto mine = fresh_logs(run, pick, outcome.goal);
  const auto theirs = fresh_logs(run, other, outcome.goal);
  const auto work = [&](std::size_t point) {
    if (outcome.goal.objective == Objective::latency) return 0.0;
    return std::log(static_cast<double>(schema::samples_at_once(outcome.grid[point])));
  };
  std::vector<double> logs;
  for (const auto& [block, time] : mine) {
    const auto found = theirs.find(block);
    if (found != theirs.end()) logs.push_back(found->second - time + work(pick) - work(other));
  }
  if (logs.size() < static_cast<std::size_t>(kFewestPairs)) return std::nullopt;
  const auto interval = stats::mean_interval(logs, kLevel);
  if (!interval) return std::nullopt;
  schema::FreshContrast made{
      outcome.grid[other], std::move(what), {}, static_cast<int>(logs.size())};
  made.gain = {std::expm1(interval->mean),
               schema::Interval{std::expm1(interval->low), std::expm1(interval->high)}};
  return made;
}

std::string words_of(const schema::FreshContrast& contrast, Objective objective) {
  const schema::Estimate& gain = contrast.gain;
  const bool more = gain.value >= 0;
  const char* const unit = objective == Objective::latency ? "batches a second" : "throughput";
  if (gain.value >= 1) {
    return fmt::format("{:.3g} times the {} of {} ({}; interval {:.3g} to {:.3g} times)",
                       1 + gain.value, unit, contrast.what, setting_words(contrast.against),
                       1 + gain.ci->low, 1 + gain.ci->high);
  }
  return fmt::format("{} % {} {} than {} ({}; interval {} to {} %)",
                     base::format_percent(std::abs(gain.value)), more ? "more" : "less", unit,
                     contrast.what, setting_words(contrast.against),
                     base::format_percent(gain.ci->low), base::format_percent(gain.ci->high));
}

// What all visits of a point showed, those of the comparison too; absent: it has none.
std::optional<Observation> seen_of(const schema::RunFile& run, std::size_t point,
                                   const Goal& goal) {
  std::vector<double> log_latencies;
  Observation seen;
  for (const schema::Visit& visit : run.visits) {
    if (visit.config != static_cast<int>(point) || visit.samples_ns.empty()) continue;
    if (visit.purpose == schema::Purpose::diagnostic) continue;
    const Observation one = observe(visit, run.configs[point], goal);
    log_latencies.push_back(std::log(one.latency_s));
    seen.memory_bytes = std::max(seen.memory_bytes, one.memory_bytes);
  }
  if (log_latencies.empty()) return std::nullopt;
  seen.latency_s = std::exp(stats::mean(log_latencies));
  return seen;
}

// Why the default cannot be used instead, however fast it is; empty: it can.
std::string against_default(const schema::RunFile& run, const Search& search, std::size_t usual) {
  const std::string why = search.left_out()[usual];
  if (!why.empty()) return fmt::format(" The default may not be chosen: {}.", why);
  const Goal& goal = search.goal();
  const auto seen = seen_of(run, usual, goal);
  if (!seen) return " The default could not be measured.";
  const bool late = goal.latency_budget_s && seen->latency_s > *goal.latency_budget_s;
  const bool large = goal.memory_limit_bytes && seen->memory_bytes > goal.memory_limit_bytes;
  return late || large ? " The default does not keep the bounds." : "";
}

bool beats_default(const Tuned& tuned, bool default_counts) {
  if (tuned.standard == *tuned.outcome.pick) return true;
  if (!default_counts) return !tuned.contrasts.empty();
  return std::any_of(tuned.contrasts.begin(), tuned.contrasts.end(), [](const auto& each) {
    return each.what == kTheDefault && each.gain.ci->low > 0;
  });
}

void judge(Tuned& tuned, const std::string& no_default) {
  const bool is_default = tuned.standard == *tuned.outcome.pick;
  tuned.verified = beats_default(tuned, no_default.empty());
  for (const schema::FreshContrast& each : tuned.contrasts) {
    const bool counts = each.what != kTheDefault || no_default.empty();
    if (!counts || each.gain.ci->high >= -kTieMargin) continue;
    tuned.withdrawn = true;
    tuned.verified = false;
    tuned.verdict = fmt::format(
        "The recommendation is withdrawn: in {} fresh visits it showed {}. Take that, or measure "
        "more.",
        each.n, words_of(each, tuned.outcome.goal.objective));
    return;
  }
  if (tuned.contrasts.empty()) {
    tuned.verdict = is_default ? "It is the default itself."
                               : fmt::format(
                                     "Not verified: that takes {} fresh visits, and there "
                                     "are fewer.",
                                     kFewestPairs);
    return;
  }
  std::vector<std::string> parts;
  for (const schema::FreshContrast& each : tuned.contrasts) {
    parts.push_back(words_of(each, tuned.outcome.goal.objective));
  }
  tuned.verdict =
      fmt::format("{} in {} fresh visits: {}.{}", tuned.verified ? "Verified" : "Not verified",
                  tuned.contrasts.front().n, fmt::join(parts, "; "), no_default);
}

// What the search took for a latency within the budget may turn out to be over it.
void withdraw_over_budget(Tuned& tuned, const Goal& goal) {
  const std::string over = exceeds_budget(*tuned.latency, goal);
  if (over.empty() || !tuned.outcome.feasible) return;
  tuned.withdrawn = true;
  tuned.verified = false;
  tuned.verdict = fmt::format(
      "The recommendation is withdrawn: over all its visits, {}. Take a smaller batch, or tune "
      "with "
      "a larger --budget.",
      over);
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
    const auto split = analyze::cheapest_split(sizes, times, each.size);
    if (!split || each.time_s <= (1 + kWorseBy) * split->time) good.push_back(each.size);
  }
  return good;
}

// A search has too few visits of most sizes to prove anything of them: by its estimates.
std::vector<int64_t> good_sizes_of(const Outcome& outcome) {
  const schema::RunConfig setting = schema::without_batch_size(outcome.grid[*outcome.pick]);
  std::vector<SizeTime> measured;
  for (const Standing& each : outcome.standings) {
    const schema::RunConfig& config = outcome.grid[each.point];
    const bool here =
        each.feasible && each.left_out.empty() && schema::without_batch_size(config) == setting;
    if (here) measured.push_back({config.shape.batch_size, each.time_s});
  }
  std::sort(measured.begin(), measured.end(),
            [](const SizeTime& a, const SizeTime& b) { return a.size < b.size; });
  return not_beaten_by_splits(measured);
}

// What speaks against believing the outcome.
std::vector<std::string> warnings_of(const Outcome& outcome) {
  std::vector<std::string> warnings;
  for (const auto& [why, points] : outcome.left_out) {
    warnings.push_back(
        fmt::format("{} point{} not chosen from: {}", points, points == 1 ? " is" : "s are", why));
  }
  const schema::RunConfig& pick = outcome.grid[*outcome.pick];
  if (pick.mode != schema::Mode::train || pick.precision == schema::Precision::fp32) {
    return warnings;
  }
  schema::RunConfig exact = pick;
  exact.precision = schema::Precision::fp32;
  const auto twin = std::find(outcome.grid.begin(), outcome.grid.end(), exact);
  const bool known = twin != outcome.grid.end();
  const auto place = static_cast<std::size_t>(twin - outcome.grid.begin());
  if (known && standing_of(outcome, place) != nullptr) return warnings;
  warnings.push_back(
      fmt::format("the losses in {} are held against nothing: {} to see that it trains alike",
                  schema::to_string(pick.precision),
                  known ? "fp32 could not be measured at this size; raise --budget"
                        : "add fp32 to --precision"));
  return warnings;
}

// Of training: what a step of other samples asks of the optimizer, and what else could be tried.
std::vector<std::string> advice_of(const schema::RunFile& run, const Outcome& outcome,
                                   std::size_t usual) {
  std::vector<std::string> advice;
  const schema::RunConfig& pick = outcome.grid[*outcome.pick];
  if (pick.mode != schema::Mode::train) return advice;
  // With --effective-batch every step takes as many samples, whichever size is the current one.
  const bool same_samples = run.header.axes.contains("effective_batch");
  const auto current = same_samples ? std::nullopt : run.header.plan.current_batch_size;
  const int64_t from = analyze::samples_before(outcome.grid[usual], current);
  if (const auto rate = analyze::learning_rate_finding(pick, from)) {
    advice.push_back(rate->message + " " + rate->fix);
  }
  const auto [least, most] = std::minmax_element(
      outcome.grid.begin(), outcome.grid.end(), [](const auto& a, const auto& b) {
        return schema::effective_batch(a) < schema::effective_batch(b);
      });
  if (schema::effective_batch(*least) != schema::effective_batch(*most)) {
    advice.push_back(
        fmt::format("Ways to train with {} to {} samples a step were ranked by their speed alone; "
                    "--effective-batch keeps the samples of a step.",
                    schema::effective_batch(*least), schema::effective_batch(*most)));
  }
  const bool out = std::any_of(run.events.begin(), run.events.end(), [](const auto& event) {
    return failure_of(event) == Failure::out_of_memory;
  });
  const bool checkpoints = std::any_of(outcome.grid.begin(), outcome.grid.end(),
                                       [](const auto& each) { return each.checkpointing; });
  if (out && !checkpoints) {
    advice.push_back(
        "Memory was out at some sizes: --checkpointing auto tries those of a built-in transformer "
        "with its layers computed again.");
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
    ++counts[event.kind + ": " + event.message];
    out_of_memory |= failure == Failure::out_of_memory;
  }
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == counts.end()) return "";
  std::string words = fmt::format(" {} of {} visits ended in {}.", most->second, all, most->first);
  if (goal.memory_limit_bytes && out_of_memory) {
    words += fmt::format(" The memory limit of {} binds: a worker needs more before it has a time.",
                         base::format_bytes(*goal.memory_limit_bytes));
  }
  return words;
}

}  // namespace

Tuned tuned_of(const schema::RunFile& run, const TunePlan& plan) {
  Tuned tuned;
  const Search search = search_of(run, plan);
  tuned.outcome = outcome_of(search);
  const Outcome& outcome = tuned.outcome;
  if (!outcome.pick) {
    tuned.outcome.message += failure_words(run, plan.goal);
    return tuned;
  }
  const std::size_t usual = default_point(outcome.grid, run.header.plan.current_batch_size);
  tuned.standard = usual;
  const auto against_usual = contrast(run, outcome, usual, kTheDefault);
  if (against_usual) tuned.contrasts.push_back(*against_usual);
  if (outcome.runner_up && *outcome.runner_up != usual) {
    const auto against = contrast(run, outcome, *outcome.runner_up, "the runner-up");
    if (against) tuned.contrasts.push_back(*against);
  }
  judge(tuned, against_default(run, search, usual));
  if (plan.goal.latency_budget_s) {
    tuned.latency = check_latency(run, *outcome.pick, plan.goal);
    withdraw_over_budget(tuned, plan.goal);
  }
  tuned.good_sizes = good_sizes_of(outcome);
  tuned.advice = advice_of(run, outcome, usual);
  tuned.warnings = warnings_of(outcome);
  return tuned;
}

}  // namespace batchscope::tune
