#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/findings/diagnosis_part.hpp"
#include "batchscope/measure/trace_folder.hpp"
#include "batchscope/stats/rng.hpp"
#include "batchscope/timing/evidence.hpp"
#include "batchscope/timing/steady_visit.hpp"
#include "batchscope/trace/recording_file.hpp"
#include "contrast_width.hpp"
#include "session_state.hpp"

namespace batchscope::measure {
namespace {

constexpr std::size_t kMoreToJudge = 2;  // iterations of warm-up
constexpr int kFirstBlocks = 2;          // that decide nothing about the warm-up of those to come

using base::ErrorKind;
using base::Result;

constexpr int64_t kNsPerSecond = 1'000'000'000;
constexpr double kLongestAmortisedS = 5;

std::size_t place(int index) {
  return static_cast<std::size_t>(index);
}

int64_t to_ns(double seconds) {
  return std::llround(seconds * static_cast<double>(kNsPerSecond));
}

// The order of a block follows from the seed and its number alone; who was dropped is taken out
// afterwards, so that it does not change the order of the others.
std::vector<int> shuffled(std::vector<int> configs, uint64_t seed, int block) {
  stats::Rng rng(stats::mix_seed(seed, static_cast<uint64_t>(block)));
  rng.shuffle(std::span<int>(configs));
  return configs;
}

double typical_time_ns(const schema::RunFile& run, int config) {
  for (auto visit = run.visits.rbegin(); visit != run.visits.rend(); ++visit) {
    if (visit->config == config && !visit->samples_ns.empty()) {
      return timing::typical_ns(timing::warm(*visit, {}));
    }
  }
  return 0;
}

// Whether the first of its diagnostic visits, the one without the tracer, is made.
bool is_seen(const schema::RunFile& run, int config) {
  return std::any_of(run.visits.begin(), run.visits.end(), [&](const schema::Visit& visit) {
    return visit.config == config && visit.purpose == schema::Purpose::diagnostic;
  });
}

void discard_trace(const VisitRequest& request) {
  if (!request.trace_file.empty()) trace::RecordingFile::discard(request.trace_file);
}

TimedRule timed_rule(const schema::MeasurementPlan& plan, std::size_t configs) {
  TimedRule rule;
  rule.at_least = plan.min_iterations;
  rule.at_least_ns = to_ns(plan.min_visit_s);
  rule.over_startup = plan.timed_over_startup;
  rule.fixed = plan.iterations;
  // Timing long to make up for a slow start must not eat the budget of the pilot.
  constexpr double kShareOfBudget = 0.5;
  const double visits = static_cast<double>(configs) * std::max(plan.blocks, 1);
  const double most =
      std::min(kLongestAmortisedS,
               kShareOfBudget * schema::share_of_main_part(plan) * plan.budget_s / visits);
  rule.amortised_most_ns = to_ns(std::max(most, plan.min_visit_s));
  return rule;
}

}  // namespace

int diagnostic_visits(const schema::MeasurementPlan& plan) {
  const bool one = findings::asks_for_trace_alone(plan) || !findings::asks_for_trace(plan);
  return one ? 1 : 2;
}

Session::State::State(Job the_job, schema::RunFile the_run, Collaborators the_collaborators,
                      bool is_resumed)
    : job(std::move(the_job)),
      run(std::move(the_run)),
      with(std::move(the_collaborators)),
      resumed(is_resumed),
      history(history_of(run)),
      cost_ns_(run.configs.size(), 0) {
  for (const schema::Visit& visit : run.visits) cost_ns_[place(visit.config)] = visit.wall_ns;
  history.spent_ns += to_ns(std::min(with.prepared_s, job.header.plan.budget_s / 2));
}

bool Session::State::is_dropped(int config) const {
  return history.failures[place(config)] >= timing::kFailuresToGiveUp;
}

std::vector<int> Session::State::living(const std::vector<int>& configs) const {
  std::vector<int> result;
  std::copy_if(configs.begin(), configs.end(), std::back_inserter(result),
               [this](int config) { return !is_dropped(config); });
  return result;
}

// Before a configuration was visited, the mean of those that were.
int64_t Session::State::visit_cost_ns(int config) const {
  if (cost_ns_[place(config)] > 0) return cost_ns_[place(config)];
  int64_t sum = 0, count = 0;
  for (const int64_t cost : cost_ns_) {
    sum += cost;
    count += cost > 0 ? 1 : 0;
  }
  return count > 0 ? sum / count : 0;
}

int64_t Session::State::block_cost_ns(const std::vector<int>& configs) const {
  int64_t sum = 0;
  for (const int config : living(configs)) sum += visit_cost_ns(config);
  return sum;
}

Progress Session::State::progress() const {
  Progress now;
  now.block = block_;
  now.blocks = std::max(planned_blocks, block_ + 1);
  now.visits = visits_done_;
  now.block_visits = block_visits_;
  now.spent_s = static_cast<double>(history.spent_ns) / kNsPerSecond;
  const int64_t a_block = block_cost_ns(block_configs_);
  if (a_block > 0 && block_visits_ > 0) {
    const double left_here = 1 - static_cast<double>(visits_done_) / block_visits_;
    const double blocks_left = left_here + std::max(now.blocks - block_ - 1, 0);
    const double left = blocks_left * static_cast<double>(a_block);
    const double may_be_spent =
        static_cast<double>(limit_ns) - static_cast<double>(history.spent_ns);
    now.left_s = std::max(std::min(left, may_be_spent), 0.0) / kNsPerSecond;
  }
  return now;
}

Result<void> Session::State::record(schema::Visit visit) {
  if (auto kept = with.sink.visit(visit); !kept) return kept;
  history.spent_ns += visit.wall_ns;
  // A tracer's visit says nothing of what the others cost.
  if (visit.purpose != schema::Purpose::diagnostic) cost_ns_[place(visit.config)] = visit.wall_ns;
  run.visits.push_back(std::move(visit));
  if (with.observer != nullptr) with.observer->on_visit(run.visits.back(), progress());
  return {};
}

Result<void> Session::State::keep(schema::Event event) {
  if (auto kept = with.sink.event(event); !kept) return kept;
  run.events.push_back(std::move(event));
  return {};
}

Result<void> Session::State::record(schema::Event event) {
  if (auto kept = keep(std::move(event)); !kept) return kept;
  if (with.observer != nullptr) with.observer->on_event(run.events.back(), progress());
  return {};
}

Result<void> Session::State::add_config(const schema::RunConfig& config) {
  if (auto kept = with.sink.config(static_cast<int>(run.configs.size()), config); !kept) {
    return kept;
  }
  run.configs.push_back(config);
  job.configs.push_back(config);
  history.failures.push_back(0);
  cost_ns_.push_back(0);
  return {};
}

// The sides of an intervention do the same work, and warm up alike.
std::vector<int> Session::State::held_against(const BlockPlan& plan, int config) const {
  if (plan.added != schema::Purpose::intervention) return {config};
  const schema::RunConfig& own = run.configs[place(config)];
  std::vector<int> same;
  std::copy_if(plan.configs.begin(), plan.configs.end(), std::back_inserter(same), [&](int other) {
    const schema::RunConfig& each = run.configs[place(other)];
    return each.model == own.model && each.mode == own.mode &&
           each.shape.batch_size == own.shape.batch_size;
  });
  return same;
}

std::string Session::State::trace_file(int config) const {
  const bool is_wanted = findings::asks_for(job.header.plan, findings::DiagnosisPart::trace);
  if (!is_wanted || with.trace_folder.empty()) return "";
  return (with.trace_folder / trace_name(run.configs[place(config)], config, run.visits)).string();
}

VisitRequest Session::State::request(const BlockPlan& plan, int config, int order,
                                     int64_t previous_batch_size) const {
  const schema::MeasurementPlan& rules = job.header.plan;
  VisitRequest made;
  made.config = config;
  made.block = plan.block;
  made.order = order;
  made.attempt = plan.attempt;
  const bool is_main = std::binary_search(history.main.begin(), history.main.end(), config);
  // Sizes measured again beside controls count as measured; beside an intervention they were chosen
  // for what they had shown, so that they must not enter the table.
  const bool is_beside = is_main && plan.added == schema::Purpose::control;
  if (plan.added && !is_beside) made.purpose = *plan.added;
  made.run = run.configs[place(config)];
  if (const auto* const model = find_spec(job, made.run)) made.model = *model;
  made.wait_each = rules.sync != schema::Sync::end;
  if (made.purpose == schema::Purpose::diagnostic) {
    made.traced = findings::asks_for_trace_alone(rules) || is_seen(run, config);
    if (made.traced) made.trace_file = trace_file(config);
  }
  made.warmup.fixed = rules.warmup;
  const stats::WarmupNeed needed =
      warmups_.with_longest_of(held_against(plan, config)).of(config, typical_time_ns(run, config));
  // Where even the last index that can be judged is slow, later visits warm up longer, so that the
  // next ones can be judged.
  const bool open = needed.iterations > 0 && !needed.determined;
  const auto at_least = needed.iterations + (open ? kMoreToJudge : 0);
  made.warmup.at_least = std::max(made.warmup.at_least, static_cast<int>(at_least));
  made.timed = timed_rule(rules, history.main.size());
  made.timed.at_least_ns = std::max(made.timed.at_least_ns, to_ns(plan.min_visit_s));
  if (made.purpose == schema::Purpose::diagnostic) made.timed.over_startup = 0;
  made.context.seed = job.header.seed;
  made.context.number =
      static_cast<int64_t>(plan.block) * static_cast<int64_t>(run.configs.size()) + order;
  made.context.process = rules.isolation == schema::Isolation::config  ? made.context.number
                         : rules.isolation == schema::Isolation::block ? plan.block
                                                                       : 0;
  made.context.elapsed_ns = history.spent_ns;
  made.context.previous_batch_size = previous_batch_size;
  return made;
}

Result<void> Session::State::fail(const VisitRequest& request, VisitFailure failure) {
  discard_trace(request);
  history.spent_ns += failure.wall_ns;
  schema::Event& event = failure.event;
  event.where.config = request.config;
  event.where.block = request.block;
  event.where.attempt = request.attempt;
  event.wall_ns = std::max<int64_t>(failure.wall_ns, 0);
  if (auto kept = record(std::move(event)); !kept) return kept;
  if (++history.failures[place(request.config)] < timing::kFailuresToGiveUp) return {};
  schema::Event dropped;
  dropped.kind = schema::EventKind::warning;
  dropped.what = fmt::format("failed {} times: skipped from now on", timing::kFailuresToGiveUp);
  dropped.where.config = request.config;
  dropped.where.block = request.block;
  dropped.where.attempt = request.attempt;
  return record(std::move(dropped));
}

Result<void> Session::State::tell_left_behind(const schema::RunPlace& where) {
  const int count = with.executor.take_left_behind();
  if (count == 0) return {};
  schema::Event event;
  event.kind = schema::EventKind::warning;
  event.what = fmt::format("ended processes that the model left behind: {}",
                           base::counted(count, "process"));
  event.where = where;
  return record(std::move(event));
}

Result<void> Session::State::take(const VisitRequest& request, VisitOutcome outcome) {
  ++visits_done_;
  if (auto reported = tell_left_behind({request.config, request.block, request.attempt});
      !reported) {
    return reported;
  }
  if (auto* failure = std::get_if<VisitFailure>(&outcome))
    return fail(request, std::move(*failure));
  return record(std::get<schema::Visit>(std::move(outcome)));
}

Result<BlockEnd> Session::State::run_block(const BlockPlan& plan) {
  warmups_ = plan.block < kFirstBlocks ? timing::Warmups() : timing::warmups_of(run);
  for (const timing::Use use : {timing::Use::fresh, timing::Use::intervention}) {
    if (plan.added && timing::serves(*plan.added, use)) {
      warmups_ = timing::shown_in(run, use, warmups_);
    }
  }
  const std::vector<int> order = living(shuffled(plan.configs, job.header.seed, plan.block));
  block_ = plan.block;
  block_configs_ = plan.configs;
  block_visits_ = static_cast<int>(order.size());
  visits_done_ = 0;
  auto ended = BlockEnd::complete;
  int64_t previous_batch_size = 0;
  for (const int config : order) {
    if (!affordable(visit_cost_ns(config))) ended = BlockEnd::budget;
    // Goes before everything: who stopped the run is not to be told that it ended by itself.
    if (with.stop.stop_requested()) ended = BlockEnd::interrupted;
    if (ended != BlockEnd::complete) break;
    const VisitRequest asked = request(plan, config, visits_done_, previous_batch_size);
    previous_batch_size = asked.run.shape.batch_size;
    auto outcome = with.executor.visit(asked, with.stop);
    if (!outcome) discard_trace(asked);
    if (!outcome && outcome.error().kind == ErrorKind::interrupted) {
      ended = BlockEnd::interrupted;
      break;
    }
    if (!outcome) return std::move(outcome).error();
    if (auto taken = take(asked, *std::move(outcome)); !taken) return taken.error();
  }
  with.executor.end_block();
  if (auto reported = tell_left_behind({{}, plan.block, plan.attempt}); !reported)
    return reported.error();
  return ended;
}

}  // namespace batchscope::measure
