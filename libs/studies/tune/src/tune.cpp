#include "batchscope/tune/tune.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "batchscope/compare/equivalence.hpp"
#include "batchscope/timing/evidence.hpp"
#include "batchscope/timing/visits.hpp"
#include "search/observe.hpp"
#include "search/setting.hpp"
#include "verdict/latency_evidence.hpp"

namespace batchscope::tune {
namespace {

using base::Result;
using schema::EndReason;

// Leaves out what does not do what the default does, as far as the run recorded it: other engines
// and precisions whose outputs or losses are not equivalent (compare::find_mismatch).
void leave_out_mismatches(const schema::RunFile& run, Search& search) {
  const auto& grid = search.grid();
  const schema::RunConfig& usual = grid[default_point(grid, run.header.plan.current_batch_size)];
  for (std::size_t point = 0; point < grid.size(); ++point) {
    if (auto mismatch = compare::find_mismatch(run, grid[point], usual)) {
      search.leave_out(point, std::move(mismatch->message));
    }
  }
}

// A warm-up that later visits show to be longer trims the earlier ones too.
void tell_all(const schema::RunFile& run, Search& search) {
  const std::size_t points = search.grid().size();
  const auto made = timing::visits_of(run, timing::Use::measured, timing::warmups_of(run));
  for (const auto& [config, visits] : made.by_config) {
    const auto point = static_cast<std::size_t>(config);
    if (point >= points) continue;
    for (const Observation& seen : observe(visits, run.configs[point], search.goal())) {
      search.tell(point, seen);
    }
  }
  for (const schema::Event& event : run.events) {
    const auto failure = failure_of(event);
    if (!failure || static_cast<std::size_t>(*event.where.config) >= points) continue;
    search.tell(static_cast<std::size_t>(*event.where.config), *failure);
  }
}

// What one visit of each takes, as their latest did; nothing of those that were never visited.
double cost_s(const schema::RunFile& run, const std::vector<int>& points) {
  double sum = 0;
  for (const int point : points) {
    const auto latest =
        std::find_if(run.visits.rbegin(), run.visits.rend(),
                     [&](const schema::Visit& visit) { return visit.config == point; });
    if (latest != run.visits.rend())
      sum += static_cast<double>(latest->wall_ns) * kSecondsANanosecond;
  }
  return sum;
}

std::vector<int> points_of(const std::vector<Suggestion>& round) {
  std::set<int> points;
  for (const Suggestion& ask : round) points.insert(static_cast<int>(ask.point));
  return {points.begin(), points.end()};
}

measure::Stage round_stage(const std::vector<Suggestion>& round, double left_s) {
  measure::Stage stage;
  stage.again = points_of(round);
  stage.purpose = schema::Purpose::measure;
  stage.blocks = 1;
  stage.budget_s = left_s;
  return stage;
}

// The wall time of a run: its budget, and once more for each time that it was gone on with after
// that had ended it, with what was left of the earlier ones and without what they took too much.
// Visits say themselves what they took; what is done beside them does not.
class Budget {
 public:
  Budget(const measure::Session& session, double beside_s)
      : session_(session), beside_s_(beside_s) {
    const auto& end = session.recorded().end;
    if (end && end->reason == EndReason::budget) began_s_ = end->wall_s;
  }

  double one_s() const { return session_.recorded().header.plan.budget_s - beside_s_; }
  double left_s() const {
    const double left_s = times() * one_s() - session_.spent_s();
    if (!began_s_) return left_s;
    return std::max(left_s, one_s() - (session_.spent_s() - *began_s_));
  }
  // What the search has left of its part, where `kept_s` of the first budget is kept for fresh
  // visits.
  double searching_s(double kept_s) const {
    if (times() > 1) return left_s();
    return one_s() - kept_s - (session_.spent_s() - fresh_s(session_.recorded()));
  }

 private:
  int times() const { return 1 + session_.recorded().budgets_spent; }
  static double fresh_s(const schema::RunFile& run) {
    double sum = 0;
    for (const schema::Visit& visit : run.visits) {
      const bool fresh = visit.purpose == schema::Purpose::verify;
      if (fresh) sum += static_cast<double>(visit.wall_ns) * kSecondsANanosecond;
    }
    return sum;
  }

  const measure::Session& session_;
  double beside_s_;
  std::optional<double> began_s_;  // what was spent before a budget that is given once more
};

// Compares the outputs of engines and precisions; s.
Result<double> compare_outputs(measure::Session& session) {
  const auto start = std::chrono::steady_clock::now();
  if (auto compared = session.compare_engines(); !compared) return compared.error();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// How much of one budget is kept from the search: what the fresh visits of the best so far and of
// the default need, within reason. Nothing where the run is gone on with: what it verifies before
// its search is over would have to be verified anew.
double kept_for_fresh_s(const schema::RunFile& run, const Search& search, const TunePlan& plan,
                        double budget_s) {
  constexpr double kUsual = 0.3, kMost = 0.5, kSpare = 1.15;
  if (run.budgets_spent > 0 || plan.goal.fresh_blocks() == 0) return 0;
  double kept_s = kUsual * budget_s;
  const auto estimates = search.estimates();
  if (!estimates.empty()) {
    const std::size_t usual = default_point(search.grid(), run.header.plan.current_batch_size);
    const double block_s =
        cost_s(run, {static_cast<int>(estimates.front().point), static_cast<int>(usual)});
    const double needed_s = kSpare * timing::kPairsToProve * block_s;
    kept_s = std::max(kept_s, std::min(needed_s, kMost * budget_s));
  }
  return kept_s;
}

// Returns why it ended: blocks_done (the search is over), budget, interrupted.
Result<EndReason> run_search(measure::Session& session, Search& search, const TunePlan& plan,
                             const Budget& budget, TuneObserver* observer) {
  while (true) {
    const schema::RunFile& run = session.recorded();
    const std::size_t visits = run.visits.size(), events = run.events.size();
    const double kept_s = kept_for_fresh_s(run, search, plan, budget.one_s());
    const double left_s = std::min(budget.left_s(), budget.searching_s(kept_s));
    if (left_s <= 0) return EndReason::budget;
    auto round = search.ask(left_s, budget.one_s() - kept_s);
    if (round.empty()) return search.is_over() ? EndReason::blocks_done : EndReason::budget;
    while (!round.empty() && cost_s(run, points_of(round)) > left_s) round.pop_back();
    if (round.empty()) return EndReason::budget;
    for (const Suggestion& ask : round) {
      if (observer != nullptr) observer->on_ask(ask, search.grid()[ask.point], search);
    }
    auto ended = session.run_stage(round_stage(round, left_s));
    if (!ended) return ended;
    search = search_of(run, plan);
    if (*ended == EndReason::interrupted) return ended;
    if (run.visits.size() == visits && run.events.size() == events) return EndReason::budget;
  }
}

// The same training in fp32, where the grid has it and it was not tried.
std::optional<std::size_t> exact_twin(const Search& search, std::size_t point) {
  const auto& grid = search.grid();
  schema::RunConfig exact = grid[point];
  if (exact.mode != schema::Mode::train || exact.precision == schema::Precision::fp32) {
    return std::nullopt;
  }
  exact.precision = schema::Precision::fp32;
  const auto found = std::find(grid.begin(), grid.end(), exact);
  if (found == grid.end()) return std::nullopt;
  const auto twin = static_cast<std::size_t>(found - grid.begin());
  return search.may_be_tried(twin) ? std::optional(twin) : std::nullopt;
}

// A precision is picked only where it trains like fp32, so that is visited at the pick's size too;
// where the losses depart, the next best is looked at. Returns the reason that ended it.
Result<EndReason> settle_losses(measure::Session& session, Search& search, const TunePlan& plan,
                                const Budget& budget) {
  const schema::RunFile& run = session.recorded();
  while (true) {
    const SearchOutcome outcome = outcome_of(search);
    const auto twin = outcome.pick ? exact_twin(search, *outcome.pick) : std::nullopt;
    if (!twin) return EndReason::blocks_done;
    const std::size_t visits = run.visits.size(), events = run.events.size();
    const Suggestion ask{*twin, SearchRule::setting,
                         "fp32 losses, for comparison with the best setting"};
    auto ended = session.run_stage(round_stage({ask}, budget.left_s()));
    if (!ended || *ended == EndReason::interrupted) return ended;
    search = search_of(run, plan);
    if (run.visits.size() == visits && run.events.size() == events) return EndReason::budget;
  }
}

// The points of each block of the comparison, of an interrupted run.
std::map<int, std::set<int>> fresh_visits(const schema::RunFile& run) {
  std::map<int, std::set<int>> made;
  for (const schema::Visit& visit : run.visits) {
    if (visit.purpose == schema::Purpose::verify) made[visit.block].insert(visit.config);
  }
  return made;
}

// Blocks that have all of these points.
std::ptrdiff_t full_blocks(const schema::RunFile& run, const std::vector<int>& points) {
  const auto made = fresh_visits(run);
  return std::count_if(made.begin(), made.end(), [&](const auto& block) {
    const std::set<int>& seen = block.second;
    return std::includes(seen.begin(), seen.end(), points.begin(), points.end());
  });
}

// The pick, the default and the runner-up, ascending; without the last where there is no time to
// show anything of three, or where an interrupted run had begun without it.
std::vector<int> fresh_points(const schema::RunFile& run, const SearchOutcome& outcome,
                              double left_s) {
  std::set<int> points{
      static_cast<int>(*outcome.pick),
      static_cast<int>(default_point(outcome.grid, run.header.plan.current_batch_size))};
  const std::vector<int> two(points.begin(), points.end());
  if (outcome.runner_up) points.insert(static_cast<int>(*outcome.runner_up));
  const std::vector<int> three(points.begin(), points.end());
  if (full_blocks(run, three) > 0) return three;
  if (full_blocks(run, two) > 1) return two;
  return timing::kPairsToProve * cost_s(run, three) > left_s ? two : three;
}

// Whole blocks that an interrupted run had made are taken off.
int blocks_left(const schema::RunFile& run, int blocks, const std::vector<int>& points) {
  return blocks - static_cast<int>(full_blocks(run, points));
}

// Why a search had ended whose comparison has begun: what it would ask for now, it had no time for.
EndReason reason_of_search(const schema::RunFile& run, const Search& search, const TunePlan& plan,
                           const Budget& budget) {
  const double kept_s = kept_for_fresh_s(run, search, plan, budget.one_s());
  const double left_s = budget.searching_s(kept_s);
  const bool asks = !search.ask(left_s, budget.one_s() - kept_s).empty();
  const bool over = left_s > 0 && !asks && search.is_over();
  return over ? EndReason::blocks_done : EndReason::budget;
}

Result<EndReason> search_and_settle(measure::Session& session, Search& search, const TunePlan& plan,
                                    const Budget& budget, TuneObserver* observer) {
  const schema::RunFile& run = session.recorded();
  if (run.budgets_spent == 0 && !fresh_visits(run).empty()) {
    return reason_of_search(run, search, plan, budget);
  }
  auto reason = run_search(session, search, plan, budget, observer);
  if (!reason || *reason == EndReason::interrupted) return reason;
  auto settled = settle_losses(session, search, plan, budget);
  if (!settled || *settled == EndReason::interrupted) return settled;
  return reason;
}

// How many more visits of the pick the quantile that its budget bounds needs; 0: it is vouched for,
// or `left_s` cannot give them.
int visits_for_reliability(const schema::RunFile& run, std::size_t pick, const Goal& goal,
                           double left_s) {
  constexpr double kFewestMore = 12;
  if (!goal.latency_budget_s || !probability_of(goal.latency_of.value())) return 0;
  const findings::LatencyCheck check = latency_evidence(run, pick, goal, timing::warmups_of(run));
  if (check.interval_ms && check.supported == check.asked) return 0;
  if (check.visits == 0 || !check.settled) return 0;
  const auto visits = static_cast<double>(check.visits);
  const double a_visit = static_cast<double>(check.samples) / visits;
  const double missing = static_cast<double>(check.samples_needed - check.samples);
  // Where there are samples enough, visits differ: twice as many tell more.
  const double wanted = missing > 0 ? std::ceil(missing / a_visit) : std::max(kFewestMore, visits);
  const double cost = cost_s(run, {static_cast<int>(pick)});
  return wanted * cost <= left_s ? static_cast<int>(wanted) : 0;
}

// Visits the pick until its samples vouch for the quantile that was asked for. Returns the reason
// that ended it.
Result<EndReason> check_latency(measure::Session& session, std::size_t pick, const Goal& goal,
                                const Budget& budget) {
  constexpr int kMostRounds = 8;
  const schema::RunFile& run = session.recorded();
  for (int round = 0; round < kMostRounds; ++round) {
    const std::size_t visits = run.visits.size();
    measure::Stage stage;
    stage.purpose = schema::Purpose::verify;
    stage.again = {static_cast<int>(pick)};
    stage.budget_s = budget.left_s();
    stage.blocks = visits_for_reliability(run, pick, goal, stage.budget_s);
    if (stage.blocks == 0) break;
    auto ended = session.run_stage(stage);
    if (!ended || *ended == EndReason::interrupted) return ended;
    if (run.visits.size() == visits) break;
  }
  return EndReason::blocks_done;
}

// The pick, the default and the runner-up beside each other. Returns the reason that ended it: the
// budget only where there are too few to prove anything.
Result<EndReason> compare_fresh(measure::Session& session, const SearchOutcome& outcome,
                                const TunePlan& plan, const Budget& budget,
                                TuneObserver* observer) {
  measure::Stage stage;
  stage.purpose = schema::Purpose::verify;
  stage.budget_s = budget.left_s();
  stage.again = fresh_points(session.recorded(), outcome, stage.budget_s);
  stage.blocks = blocks_left(session.recorded(), plan.goal.fresh_blocks(), stage.again);
  // One alone is compared with nothing, but its latency can be vouched for.
  const bool tells = stage.again.size() > 1 || plan.goal.latency_budget_s;
  if (!tells || stage.blocks <= 0) return EndReason::blocks_done;
  if (stage.budget_s <= 0) return EndReason::budget;
  std::vector<schema::RunConfig> configs;
  for (const int point : stage.again) {
    configs.push_back(outcome.grid[static_cast<std::size_t>(point)]);
  }
  if (observer != nullptr) observer->on_verify(configs);
  const auto ended = session.run_stage(stage);
  const bool proves = full_blocks(session.recorded(), stage.again) >= timing::kPairsToProve;
  return ended && *ended == EndReason::budget && proves ? EndReason::blocks_done : ended;
}

}  // namespace

Search search_of(const schema::RunFile& run, const TunePlan& plan) {
  const auto begun = static_cast<std::size_t>(run.header.configurations);
  std::vector<schema::RunConfig> grid = run.configs;
  if (begun > 0 && begun < grid.size()) grid.resize(begun);
  SearchOptions options = plan.search;
  options.latencies_of_visits = true;
  Search search(std::move(grid), plan.goal, std::move(options));
  tell_all(run, search);
  leave_out_mismatches(run, search);
  return search;
}

std::size_t default_point(const std::vector<schema::RunConfig>& grid,
                          std::optional<int64_t> current_batch_size) {
  const bool step_kept = keeps_step(grid);
  const schema::RunConfig setting = setting_of(grid.front(), step_kept);
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (setting_of(grid[i], step_kept) != setting) continue;
    const int64_t size = grid[i].shape.batch_size;
    if (size == current_batch_size) return i;
    if (size < grid[chosen].shape.batch_size) chosen = i;
  }
  return chosen;
}

Result<schema::End> tune(measure::Session& session, const TunePlan& plan, TuneObserver* observer) {
  if (auto begun = session.begin(); !begun) return begun.error();
  // What does not compute the same is not looked for.
  const auto comparing_s = compare_outputs(session);
  if (!comparing_s) return comparing_s.error();
  const Budget budget(session, *comparing_s);
  Search search = search_of(session.recorded(), plan);
  auto reason = search_and_settle(session, search, plan, budget, observer);
  if (!reason) return std::move(reason).error();
  if (*reason == EndReason::interrupted) return session.finish(*reason);
  const SearchOutcome outcome = outcome_of(search);
  if (!outcome.pick) return session.finish(EndReason::nothing_left);
  const bool gone_on_with = session.recorded().budgets_spent > 0;
  if (gone_on_with && *reason == EndReason::budget) return session.finish(*reason);
  auto ended = compare_fresh(session, outcome, plan, budget, observer);
  if (ended && *ended == EndReason::budget) reason = ended;
  if (ended && *ended != EndReason::interrupted && plan.goal.fresh_blocks() > 0) {
    ended = check_latency(session, *outcome.pick, plan.goal, budget);
  }
  if (!ended) return std::move(ended).error();
  if (*ended == EndReason::interrupted) reason = ended;
  return session.finish(*reason);
}

}  // namespace batchscope::tune
