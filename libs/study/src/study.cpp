#include "batchscope/study/study.hpp"

#include <algorithm>

#include "stages.hpp"

namespace batchscope::study {
namespace {

using base::Result;

bool has_visits(const schema::RunFile& run, schema::Purpose purpose) {
  return std::any_of(run.visits.begin(), run.visits.end(),
                     [&](const schema::Visit& visit) { return visit.purpose == purpose; });
}

bool is_over(const std::string& reason) {
  return reason == "interrupted" || reason == "nothing-left";
}

// Runs the stage that `make` plans, unless the run is over, or is a resumed one that had begun such
// a stage: it is not given a second one.
template <class Make>
Result<void> follow_up(measure::Session& session, schema::Purpose purpose, std::string& reason,
                       Make make) {
  if (is_over(reason) || has_visits(session.recorded(), purpose)) return {};
  const measure::Stage stage = make(session.recorded());
  if (stage.added.empty() && stage.again.empty()) return {};
  const auto ended = session.run_stage(stage);
  if (!ended) return ended.error();
  if (*ended == "interrupted") reason = *ended;
  return {};
}

}  // namespace

Result<schema::End> run(measure::Session& session, const FollowUps& follow_ups) {
  if (auto begun = session.begin(); !begun) return begun.error();
  auto reason = session.run_main();
  if (!reason) return std::move(reason).error();
  Result<void> done;
  if (follow_ups.controls.automatic) {
    done = follow_up(session, schema::Purpose::control, *reason,
                     [&](const auto& run) { return control_stage(run, follow_ups.controls); });
  }
  Diagnosis diagnosis = follow_ups.diagnosis;
  const double spent_before_s = session.spent_s();
  if (done && diagnosis.look) {
    done = follow_up(session, schema::Purpose::diagnostic, *reason,
                     [&](const auto& run) { return diagnostic_stage(run, diagnosis); });
  }
  diagnosis.budget_s -= session.spent_s() - spent_before_s;
  if (done && diagnosis.interventions && diagnosis.budget_s > 0) {
    done = follow_up(session, schema::Purpose::intervention, *reason,
                     [&](const auto& run) { return intervention_stage(run, diagnosis); });
  }
  if (done && follow_ups.verification.automatic) {
    done = follow_up(session, schema::Purpose::verify, *reason,
                     [&](const auto& run) { return verify_stage(run, follow_ups.verification); });
  }
  if (!done) return done.error();
  return session.finish(*reason);
}

}  // namespace batchscope::study
