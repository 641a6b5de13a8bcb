#include "batchscope/study/study.hpp"

#include <set>

#include "stages.hpp"

namespace batchscope::study {
namespace {

using base::Result;

// What an interrupted run had made of a stage already is taken off it. A block that was cut short
// counts: its pairs are used.
void take_off(const schema::RunFile& run, measure::Stage& stage) {
  std::set<int> blocks;
  for (const schema::Visit& visit : run.visits) {
    if (visit.purpose != stage.purpose) continue;
    blocks.insert(visit.block);
    stage.budget_s -= static_cast<double>(visit.wall_ns) * 1e-9;
  }
  stage.blocks -= static_cast<int>(blocks.size());
}

bool is_over(const std::string& reason) {
  return reason == "interrupted" || reason == "nothing-left";
}

// Runs the stage that `make` plans, or what a resumed run had left of it, unless the run is over.
template <class Make>
Result<void> follow_up(measure::Session& session, std::string& reason, Make make) {
  if (is_over(reason)) return {};
  measure::Stage stage = make(session.recorded());
  take_off(session.recorded(), stage);
  if ((stage.added.empty() && stage.again.empty()) || stage.blocks <= 0) return {};
  const auto ended = session.run_stage(stage);
  if (!ended) return ended.error();
  if (*ended == "interrupted") reason = *ended;
  return {};
}

}  // namespace

FollowUps follow_ups_of(const schema::Plan& plan) {
  constexpr double kShareOfCauses = 0.6;
  FollowUps made;
  made.controls.automatic = plan.controls == "auto";
  made.diagnosis.look = plan.diagnose;
  made.diagnosis.interventions = plan.diagnose && plan.verify_causes == "auto";
  made.verification.automatic = plan.diagnose && plan.verify == "auto";
  made.controls.budget_s = made.diagnosis.budget_s = made.verification.budget_s = plan.budget_s;
  if (plan.diagnose_budget_s) {
    const bool both = made.diagnosis.interventions && made.verification.automatic;
    made.diagnosis.budget_s = *plan.diagnose_budget_s * (both ? kShareOfCauses : 1);
    made.verification.budget_s = *plan.diagnose_budget_s * (both ? 1 - kShareOfCauses : 1);
  }
  return made;
}

void copy_diagnosis(const schema::Plan& from, schema::Plan& to) {
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
  if (done && follow_ups.controls.automatic) {
    done = follow_up(session, *reason,
                     [&](const auto& run) { return control_stage(run, follow_ups.controls); });
  }
  Diagnosis diagnosis = follow_ups.diagnosis;
  const double spent_before_s = session.spent_s();
  if (done && diagnosis.look) {
    done = follow_up(session, *reason,
                     [&](const auto& run) { return diagnostic_stage(run, diagnosis); });
  }
  diagnosis.budget_s -= session.spent_s() - spent_before_s;
  if (done && diagnosis.interventions && diagnosis.budget_s > 0) {
    done = follow_up(session, *reason,
                     [&](const auto& run) { return intervention_stage(run, diagnosis); });
  }
  if (done && follow_ups.verification.automatic) {
    done = follow_up(session, *reason,
                     [&](const auto& run) { return verify_stage(run, follow_ups.verification); });
  }
  if (!done) return done.error();
  return session.finish(*reason);
}

}  // namespace batchscope::study
