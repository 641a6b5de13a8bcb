#include "batchscope/study/study.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/base/algorithms.hpp"
#include "batchscope/causes/interventions.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/timing/evidence.hpp"
#include "batchscope/timing/visits.hpp"
#include "stage_budget.hpp"

namespace batchscope::study {
namespace {

using base::Result;

// Controls are paired only within blocks they share, so every size of the table is measured again
// beside them.
void add_controls(const findings::Group& group, measure::Stage& stage) {
  if (group.suggested_controls.empty()) return;
  for (const int64_t size : group.suggested_controls) {
    schema::RunConfig config = group.key;
    config.shape.batch_size = size;
    stage.added.push_back(config);
  }
  for (const findings::ConfigRow& row : group.rows) stage.again.push_back(row.config_index);
}

void add_again(const schema::RunFile& run, const schema::RunConfig& config, measure::Stage& stage) {
  const auto found = std::find(run.configs.begin(), run.configs.end(), config);
  if (found == run.configs.end()) return;
  base::add_if_new(stage.again, static_cast<int>(found - run.configs.begin()));
}

// What another intervention, or the main part, measures already is not added twice.
void add_once(const schema::RunFile& run, const schema::RunConfig& config, measure::Stage& stage) {
  if (base::contains(run.configs, config)) return add_again(run, config, stage);
  base::add_if_new(stage.added, config);
}

// Of one block, where what is without the cause costs as much as what has it.
double cost_s(const schema::RunFile& run, const std::vector<causes::Ablation>& ablations) {
  double sum = 0;
  for (const causes::Ablation& each : ablations) sum += 2 * visit_cost_s(run, each.config);
  return sum;
}

// The ablations that are measured within the budget.
std::vector<causes::Ablation> affordable(const schema::RunFile& run,
                                         const DiagnosisOptions& diagnosis) {
  auto proposed = causes::proposed_interventions(run);
  proposed.resize(std::min(proposed.size(), diagnosis.most));
  std::vector<causes::Ablation> chosen;
  for (causes::Intervention& one : proposed) {
    const auto fits = [&](int blocks) {
      return blocks * (cost_s(run, chosen) + cost_s(run, one.ablations)) <= diagnosis.budget_s;
    };
    if (!one.needs_neighbour && !fits(diagnosis.blocks)) one.ablations.resize(1);
    // The first is tried in any case: how long a visit takes is a guess.
    if (!chosen.empty() && !fits(timing::kPairsToProve)) continue;
    chosen.insert(chosen.end(), one.ablations.begin(), one.ablations.end());
  }
  return chosen;
}

// The stages that follow the main part, planned from what was recorded so far; empty where there is
// nothing to measure.
measure::Stage control_stage(const schema::RunFile& run, const ControlOptions& controls) {
  measure::Stage stage;
  stage.purpose = schema::Purpose::control;
  stage.blocks = controls.blocks;
  stage.budget_s = controls.budget_s;
  const findings::Summary summary = analyze::analyze(std::span(&run, 1));
  for (const findings::Group& group : summary.groups) add_controls(group, stage);
  return stage;
}

// What later parts hold against the table is measured for as long as the table was.
double longer_s(const schema::RunFile& run) {
  double shortest = std::numeric_limits<double>::infinity();
  for (const schema::Visit& visit : run.visits) {
    if (visit.purpose == schema::Purpose::longer)
      shortest = std::min(shortest, timing::timed_s(visit));
  }
  return std::isinf(shortest) ? 0 : shortest;
}

// A look is enough to raise a suspicion; what is claimed of it rests on the intervention.
measure::Stage diagnostic_stage(const schema::RunFile& run, const DiagnosisOptions& diagnosis) {
  measure::Stage stage;
  stage.purpose = schema::Purpose::diagnostic;
  stage.blocks = measure::diagnostic_visits(run.header.plan);
  stage.budget_s = diagnosis.budget_s;
  for (const schema::RunConfig& config : causes::worth_diagnosing(run)) {
    add_again(run, config, stage);
  }
  return stage;
}

// Of the experiments that the signals call for, the strongest first, those that the budget lets be
// decided: of one that it would not, the neighbour is left out first.
measure::Stage intervention_stage(const schema::RunFile& run, const DiagnosisOptions& diagnosis) {
  measure::Stage stage;
  stage.purpose = schema::Purpose::intervention;
  stage.blocks = diagnosis.blocks;
  stage.budget_s = diagnosis.budget_s;
  stage.min_visit_s = longer_s(run);
  for (const causes::Ablation& ablation : affordable(run, diagnosis)) {
    add_again(run, ablation.config, stage);
    add_once(run, ablation.without, stage);
  }
  return stage;
}

measure::Stage verify_stage(const schema::RunFile& run, const VerificationOptions& verification) {
  measure::Stage stage;
  stage.purpose = schema::Purpose::verify;
  stage.blocks = verification.blocks;
  stage.budget_s = verification.budget_s;
  stage.min_visit_s = longer_s(run);
  for (const auto& pick : analyze::analyze(std::span(&run, 1)).recommendations) {
    // Without a baseline there is still the bound to keep.
    const bool bound = pick.feasible && run.header.plan.latency_budget_s;
    // What cannot be told from the size that stays: fresh visits of both tell more.
    if (pick.unconfirmed_best) add_again(run, *pick.unconfirmed_best, stage);
    if (pick.unconfirmed_best) add_again(run, pick.config, stage);
    if (pick.baseline) add_again(run, *pick.baseline, stage);
    if (pick.baseline || bound) add_again(run, pick.config, stage);
  }
  return stage;
}

// What share() divides.
constexpr std::initializer_list<schema::Purpose> kOfDiagnosis = {
    schema::Purpose::intervention, schema::Purpose::verify, schema::Purpose::diagnostic};

// Of the budget for diagnosis, where there are causes and a verification to pay for.
constexpr double kShareOfCauses = 0.6;

bool is_over(schema::EndReason reason) {
  return reason == schema::EndReason::interrupted || reason == schema::EndReason::nothing_left;
}

// Once a run, however often it is resumed.
Result<void> warn(measure::Session& session, const std::optional<schema::Event>& event) {
  if (!event) return {};
  const auto reported =
      base::mapped(session.recorded().events, [](const schema::Event& each) { return each.what; });
  return base::contains(reported, event->what) ? Result<void>()
                                               : session.warn(event->what, event->fix);
}

// What the run's budget leaves a part: all that it asks for where that budget is not fixed, or
// where the diagnosis has one of its own.
double left_s(const measure::Session& session, schema::Purpose purpose) {
  const schema::MeasurementPlan& plan = session.recorded().header.plan;
  const bool own = plan.diagnose_budget_s && purpose != schema::Purpose::control;
  if (!plan.budget_fixed || own) return std::numeric_limits<double>::infinity();
  return std::max(0.0, plan.budget_s - session.spent_s());
}

// What the visits were too short to show, a warm-up or slow iterations, longer ones tell, as long
// as the budget pays for; nothing where it does not pay for any that are much longer.
measure::Stage longer_stage(const measure::Session& session, const DiagnosisOptions& diagnosis) {
  const schema::RunFile& run = session.recorded();
  measure::Stage stage;
  stage.purpose = schema::Purpose::longer;
  stage.blocks = diagnosis.blocks;
  stage.budget_s = std::min(diagnosis.budget_s, left_s(session, stage.purpose));
  if (!diagnosis.look || run.header.plan.iterations) return stage;
  for (const auto& pick : analyze::analyze(std::span(&run, 1)).recommendations) {
    if (!pick.visit_s_needed) continue;
    stage.min_visit_s = std::max<double>(stage.min_visit_s, *pick.visit_s_needed);
    for (const schema::RunConfig& config : run.configs) {
      if (tables::is_same_work(config, pick.config)) add_again(run, config, stage);
    }
  }
  if (stage.again.empty()) return stage;
  double left_a_block_s = stage.budget_s / timing::kPairsToProve, longest_s = 0;
  for (const int index : stage.again) {
    left_a_block_s -= visit_cost_s(run, run.configs[static_cast<std::size_t>(index)]);
  }
  for (const schema::Visit& visit : run.visits) {
    longest_s = std::max(longest_s, timing::timed_s(visit));
  }
  const double affordable_s = left_a_block_s / static_cast<double>(stage.again.size());
  if (affordable_s < 2 * longest_s) stage.again.clear();
  stage.min_visit_s = std::min(stage.min_visit_s, affordable_s);
  return stage;
}

// What is chosen for a loader is used in every training: it is verified without a diagnosis, too.
bool verifies_loaders(const schema::RunFile& run) {
  const auto& loader = run.configs.empty() ? std::nullopt : run.configs.front().loader;
  return loader && is_in_python(*loader) && run.header.plan.verify == schema::Automatic::automatic;
}

bool share_a_budget(const FollowUps& follow_ups) {
  return follow_ups.diagnosis.interventions && follow_ups.verification.automatic;
}

// Between causes and verification. Of a budget of the diagnosis's own each has its part; of one of
// all parts, verification has what causes leave.
void divide(double budget_s, bool own, FollowUps& follow_ups) {
  const bool both = share_a_budget(follow_ups);
  follow_ups.diagnosis.budget_s = (both ? kShareOfCauses : 1) * budget_s;
  follow_ups.verification.budget_s = (both && own ? 1 - kShareOfCauses : 1) * budget_s;
}

// Divides what the parts before them left.
void share(const measure::Session& session, FollowUps& follow_ups) {
  const schema::RunFile& run = session.recorded();
  const std::optional<double>& own_s = run.header.plan.diagnose_budget_s;
  if (own_s) return divide(*own_s - spent_on_s(run, {schema::Purpose::longer}), true, follow_ups);
  if (!run.header.plan.budget_fixed) return;
  divide(left_s(session, schema::Purpose::verify) + spent_on_s(run, kOfDiagnosis), false,
         follow_ups);
}

// Runs the stage, or what a resumed run had left of it, unless the run is over. `purse`: whose
// budget it has; a part of the diagnosis says so when that is not enough.
Result<void> follow_up(measure::Session& session, schema::EndReason& reason,
                       const measure::Stage& full, const std::optional<BudgetShare>& purse = {}) {
  if (is_over(reason)) return {};
  measure::Stage stage = full;
  take_off(session.recorded(), stage);
  stage.budget_s = std::min(stage.budget_s, left_s(session, stage.purpose));
  if ((stage.added.empty() && stage.again.empty()) || stage.blocks <= 0) return {};
  const auto ended = session.run_stage(stage);
  if (!ended) return ended.error();
  if (*ended == schema::EndReason::interrupted) reason = *ended;
  if (*ended != schema::EndReason::budget || !purse) return {};
  return warn(session, too_small_a_budget(session.recorded(), full, *purse));
}

// Of the causes: a look at the sizes in question, then what is suspected is put to the test. Both
// have one budget.
Result<void> find_causes(measure::Session& session, schema::EndReason& reason,
                         DiagnosisOptions diagnosis, double share) {
  const schema::RunFile& run = session.recorded();
  const double spent_before_s = session.spent_s();
  if (diagnosis.look && !is_over(reason)) {
    auto done = follow_up(session, reason, diagnostic_stage(run, diagnosis),
                          BudgetShare{"the diagnostic visits", share, 0});
    if (!done) return done;
  }
  if (!diagnosis.interventions || is_over(reason)) return {};
  const double spent_s = session.spent_s() - spent_before_s;
  const BudgetShare purse{"the interventions", share, spent_s};
  DiagnosisOptions unbounded = diagnosis;
  unbounded.budget_s = std::numeric_limits<double>::infinity();
  const measure::Stage wanted = intervention_stage(run, unbounded);
  diagnosis.budget_s -= spent_s;
  measure::Stage stage;
  if (diagnosis.budget_s > 0) stage = intervention_stage(run, diagnosis);
  const bool all = size_of(stage) == size_of(wanted);
  auto done = follow_up(session, reason, stage, all ? std::optional(purse) : std::nullopt);
  if (!done || all || is_over(reason)) return done;
  return warn(session, left_out_for_budget(session.recorded(), stage, wanted, purse));
}

}  // namespace

FollowUps follow_ups_of(const schema::MeasurementPlan& plan) {
  FollowUps made;
  made.controls.automatic = plan.controls == schema::Automatic::automatic;
  made.diagnosis.look = plan.diagnose;
  made.diagnosis.interventions =
      plan.diagnose && plan.verify_causes == schema::Automatic::automatic;
  made.verification.automatic = plan.diagnose && plan.verify == schema::Automatic::automatic;
  made.controls.budget_s = made.diagnosis.budget_s = made.verification.budget_s = plan.budget_s;
  if (plan.diagnose_budget_s) divide(*plan.diagnose_budget_s, true, made);
  return made;
}

void copy_diagnosis(const schema::MeasurementPlan& from, schema::MeasurementPlan& to) {
  to.diagnose = from.diagnose;
  to.only = from.only;
  to.verify_causes = from.verify_causes;
  to.verify = from.verify;
  to.diagnose_budget_s = from.diagnose_budget_s;
}

Result<schema::End> run(measure::Session& session, FollowUps follow_ups) {
  if (auto begun = session.begin(); !begun) return begun.error();
  auto reason = session.run_main();
  if (!reason) return std::move(reason).error();
  // Before anything that an analysis decides: without it engines are not compared.
  Result<void> done;
  if (!is_over(*reason)) done = session.compare_engines();
  if (done && follow_ups.controls.automatic && !is_over(*reason)) {
    done = follow_up(session, *reason, control_stage(session.recorded(), follow_ups.controls));
  }
  if (done && !is_over(*reason)) {
    done = follow_up(session, *reason, longer_stage(session, follow_ups.diagnosis));
  }
  follow_ups.verification.automatic |= verifies_loaders(session.recorded());
  share(session, follow_ups);
  const bool both = share_a_budget(follow_ups);
  if (done) {
    done = find_causes(session, *reason, follow_ups.diagnosis, both ? kShareOfCauses : 1);
  }
  if (done && follow_ups.verification.automatic && !is_over(*reason)) {
    const auto stage = verify_stage(session.recorded(), follow_ups.verification);
    done = follow_up(session, *reason, stage,
                     BudgetShare{"the verification", both ? 1 - kShareOfCauses : 1, 0});
  }
  if (!done) return done.error();
  return session.finish(*reason);
}

}  // namespace batchscope::study
