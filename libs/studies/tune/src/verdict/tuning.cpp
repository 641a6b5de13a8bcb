#include <fmt/format.h>

#include "batchscope/base/units.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::tune {
namespace {

constexpr double kMillisecondsASecond = 1e3;

findings::TunedPoint point_of(const PointEstimate& estimate, const SearchOutcome& outcome) {
  findings::TunedPoint point;
  point.config = outcome.grid[estimate.point];
  point.setting = setting_words(point.config);
  point.throughput_per_s = estimate.rate;
  point.time_ms = estimate.typical_s * kMillisecondsASecond;
  point.mean_ms = estimate.mean_s * kMillisecondsASecond;
  point.latency_ms = estimate.latency_s * kMillisecondsASecond;
  point.memory_bytes = estimate.memory_bytes;
  point.visits = estimate.visits;
  point.feasible = estimate.feasible;
  point.left_out = estimate.left_out;
  return point;
}

// Where a point of the grid stands among those measured.
std::optional<std::size_t> place_of(const SearchOutcome& outcome, std::size_t point) {
  const PointEstimate* const found = estimate_of(outcome, point);
  if (found == nullptr) return std::nullopt;
  return static_cast<std::size_t>(found - outcome.estimates.data());
}

std::vector<std::size_t> places_of(const SearchOutcome& outcome,
                                   const std::vector<PointEstimate>& front) {
  std::vector<std::size_t> places;
  for (const PointEstimate& each : front) places.push_back(*place_of(outcome, each.point));
  return places;
}

void fill_goal(const Goal& goal, findings::Tuning& made) {
  made.objective = goal.objective.value();
  made.latency_of = goal.latency_of.value();
  if (goal.latency_budget_s) made.latency_budget_ms = *goal.latency_budget_s * kMillisecondsASecond;
  made.memory_limit_bytes = goal.memory_limit_bytes;
  made.price_per_hour = goal.price_per_hour;
}

// "throughput with latency <= 200 ms and memory <= 8.00 GiB".
std::string objective_words(const findings::Tuning& tuning) {
  std::vector<std::string> bounds;
  if (tuning.latency_budget_ms) {
    bounds.push_back(fmt::format("latency ({}) <= {:.4g} ms", to_string(tuning.latency_of),
                                 *tuning.latency_budget_ms));
  }
  if (tuning.memory_limit_bytes) {
    bounds.push_back("memory <= " + base::format_bytes(*tuning.memory_limit_bytes));
  }
  if (bounds.empty()) return std::string(to_string(tuning.objective));
  return fmt::format("{} with {}", to_string(tuning.objective), fmt::join(bounds, " and "));
}

findings::FreshFigures fresh_of(const Figures& figures) {
  return {figures.rate, figures.typical_s * kMillisecondsASecond,
          figures.mean_s * kMillisecondsASecond, figures.latency_s * kMillisecondsASecond,
          figures.fresh_visits};
}

void fill_pick(const Tuned& tuned, findings::Tuning& made) {
  const SearchOutcome& outcome = tuned.outcome;
  made.pick = place_of(outcome, *tuned.chosen);
  made.standard = place_of(outcome, tuned.standard);
  if (tuned.chosen != outcome.pick) made.unconfirmed_best = place_of(outcome, *outcome.pick);
  made.undecided = tuned.undecided;
  made.visits_needed = tuned.visits_needed;
  if (tuned.fresh) made.fresh = fresh_of(*tuned.fresh);
  if (made.price_per_hour) {
    made.cost_per_million =
        cost_of_a_million(*made.price_per_hour, reported_pick(made).throughput_per_s);
  }
}

// What the comparison says of the pick; where the default stays, of what it could be told from.
void fill_comparison(const findings::Tuning& tuning, findings::Recommendation& made) {
  if (!tuning.contrasts.empty()) made.fresh_visits = tuning.contrasts.front().n;
  if (tuning.unconfirmed_best) {
    made.undecided = tuning.undecided;
    if (tuning.undecided) made.unconfirmed_best = tuning.points[*tuning.unconfirmed_best].config;
    if (tuning.undecided) made.support = findings::Support::open;
    made.blocks_needed = tuning.visits_needed;
    for (const findings::FreshContrast& each : tuning.contrasts) {
      if (tuning.undecided && each.what == kTheDefault) made.open_gain = each.gain;
    }
    return;
  }
  for (const findings::FreshContrast& each : tuning.contrasts) {
    if (each.what != kTheDefault) continue;
    made.gain = each.gain;
    const bool better = each.gain.ci && each.gain.ci->low > 0;
    if (better) made.support = findings::Support::shown;
    made.baseline = each.against;
    made.gain_against = each.what + ", " + setting_words(each.against);
    made.fresh_visits = each.n;
  }
  if (tuning.standard && !made.baseline) {
    made.baseline = tuning.points[*tuning.standard].config;
  }
}

std::optional<findings::LeftOutReason> why_left_out(const findings::TunedPoint& point,
                                                    const findings::Tuning& tuning) {
  using findings::LeftOutReason;
  if (!point.left_out.empty()) {
    return point.config.mode == schema::Mode::train ? LeftOutReason::loss : LeftOutReason::outputs;
  }
  const auto& memory = tuning.memory_limit_bytes;
  if (memory && point.memory_bytes.value_or(0) > *memory) return LeftOutReason::memory;
  const auto& latency = tuning.latency_budget_ms;
  if (latency && point.latency_ms > *latency) return LeftOutReason::latency;
  return std::nullopt;
}

}  // namespace

findings::Tuning tuning_of(const Tuned& tuned) {
  const SearchOutcome& outcome = tuned.outcome;
  findings::Tuning made;
  fill_goal(outcome.goal, made);
  for (const PointEstimate& each : outcome.estimates)
    made.points.push_back(point_of(each, outcome));
  if (tuned.chosen) fill_pick(tuned, made);
  made.latency_front = places_of(outcome, outcome.latency_front);
  made.memory_front = places_of(outcome, outcome.memory_front);
  made.contrasts = tuned.contrasts;
  made.latency = tuned.latency;
  made.feasible = outcome.feasible;
  made.verified = tuned.verified;
  made.withdrawn = tuned.withdrawn;
  made.good_sizes = tuned.good_sizes;
  made.points_measured = outcome.points_measured;
  made.points_total = outcome.points_total;
  made.visits = outcome.visits;
  made.end_reason = tuned.end_reason;
  made.cut_short = tuned.cut_short;
  made.message = tuned.message;
  made.verdict = tuned.verdict;
  made.advice = tuned.advice;
  made.warnings = tuned.warnings;
  return made;
}

std::optional<findings::Recommendation> recommendation_of(const findings::Tuning& tuning) {
  if (!tuning.pick) return std::nullopt;
  const findings::TunedPoint pick = reported_pick(tuning);
  findings::Recommendation made;
  made.config = pick.config;
  made.objective = objective_words(tuning);
  made.feasible = tuning.feasible;
  made.throughput_per_s = pick.throughput_per_s;
  made.latency_ms = pick.time_ms;
  fill_comparison(tuning, made);
  made.verified = tuning.verified && made.fresh_visits > 0;
  made.withdrawn = tuning.withdrawn;
  made.points_measured = tuning.points_measured;
  made.points_total = tuning.points_total;
  made.cut_short = tuning.cut_short;
  made.good_sizes = tuning.good_sizes;
  for (const findings::TunedPoint& each : tuning.points) {
    if (const auto why = why_left_out(each, tuning)) made.left_out.push_back({each.config, *why});
  }
  made.message = tuning.message + (tuning.verdict.empty() ? "" : " " + tuning.verdict);
  return made;
}

}  // namespace batchscope::tune
