#include "batchscope/study/study.hpp"

#include <limits>
#include <optional>

#include "batchscope/base/algorithms.hpp"
#include "stage_budget.hpp"
#include "stages.hpp"

namespace batchscope::study {
namespace {

using base::Result;

// Of the budget for diagnosis, where there are causes and a verification to pay for.
constexpr double kShareOfCauses = 0.6;

bool is_over(schema::EndReason reason) {
  return reason == schema::EndReason::interrupted || reason == schema::EndReason::nothing_left;
}

// Once a run, however often it is resumed.
Result<void> warn(measure::Session& session, const std::optional<schema::Event>& event) {
  if (!event) return {};
  const auto told =
      base::mapped(session.recorded().events, [](const schema::Event& each) { return each.what; });
  return base::contains(told, event->what) ? Result<void>() : session.warn(event->what, event->fix);
}

// Runs the stage, or what a resumed run had left of it, unless the run is over. `purse`: whose
// budget it has; a part of the diagnosis says so when that is not enough.
Result<void> follow_up(measure::Session& session, schema::EndReason& reason,
                       const measure::Stage& whole, const std::optional<Purse>& purse = {}) {
  if (is_over(reason)) return {};
  measure::Stage stage = whole;
  take_off(session.recorded(), stage);
  if ((stage.added.empty() && stage.again.empty()) || stage.blocks <= 0) return {};
  const auto ended = session.run_stage(stage);
  if (!ended) return ended.error();
  if (*ended == schema::EndReason::interrupted) reason = *ended;
  if (*ended != schema::EndReason::budget || !purse) return {};
  return warn(session, too_small_a_budget(session.recorded(), whole, *purse));
}

// Of the causes: a look at the sizes in question, then what is suspected is put to the test. Both
// have one budget.
Result<void> find_causes(measure::Session& session, schema::EndReason& reason,
                         DiagnosisOptions diagnosis, double share) {
  const schema::RunFile& run = session.recorded();
  const double spent_before_s = session.spent_s();
  if (diagnosis.look && !is_over(reason)) {
    auto done = follow_up(session, reason, diagnostic_stage(run, diagnosis),
                          Purse{"the diagnostic visits", share, 0});
    if (!done) return done;
  }
  if (!diagnosis.interventions || is_over(reason)) return {};
  const double spent_s = session.spent_s() - spent_before_s;
  const Purse purse{"the interventions", share, spent_s};
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
  if (plan.diagnose_budget_s) {
    const bool both = made.diagnosis.interventions && made.verification.automatic;
    made.diagnosis.budget_s = *plan.diagnose_budget_s * (both ? kShareOfCauses : 1);
    made.verification.budget_s = *plan.diagnose_budget_s * (both ? 1 - kShareOfCauses : 1);
  }
  return made;
}

void copy_diagnosis(const schema::MeasurementPlan& from, schema::MeasurementPlan& to) {
  to.diagnose = from.diagnose;
  to.only = from.only;
  to.verify_causes = from.verify_causes;
  to.verify = from.verify;
  to.diagnose_budget_s = from.diagnose_budget_s;
}

Result<schema::End> run(measure::Session& session, const FollowUps& follow_ups) {
  if (auto begun = session.begin(); !begun) return begun.error();
  auto reason = session.run_main();
  if (!reason) return std::move(reason).error();
  // Before anything that an analysis decides: without it engines are not compared.
  Result<void> done;
  if (!is_over(*reason)) done = session.compare_engines();
  if (done && follow_ups.controls.automatic && !is_over(*reason)) {
    done = follow_up(session, *reason, control_stage(session.recorded(), follow_ups.controls));
  }
  const bool both = follow_ups.diagnosis.interventions && follow_ups.verification.automatic;
  if (done) {
    done = find_causes(session, *reason, follow_ups.diagnosis, both ? kShareOfCauses : 1);
  }
  if (done && follow_ups.verification.automatic && !is_over(*reason)) {
    const auto stage = verify_stage(session.recorded(), follow_ups.verification);
    done = follow_up(session, *reason, stage,
                     Purse{"the verification", both ? 1 - kShareOfCauses : 1, 0});
  }
  if (!done) return done.error();
  return session.finish(*reason);
}

}  // namespace batchscope::study
