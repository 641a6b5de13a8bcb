#include "batchscope/study/study.hpp"

#include <algorithm>
#include <span>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/analyze/causes.hpp"

namespace batchscope::study {
namespace {

using base::Result;

// Controls are paired only within blocks they share, so every size of the table is measured again
// beside them.
void add_controls(const schema::Group& group, measure::Stage& stage) {
  if (group.suggested_controls.empty()) return;
  for (const int64_t size : group.suggested_controls) {
    schema::RunConfig config = group.key;
    config.shape.batch_size = size;
    stage.added.push_back(config);
  }
  for (const schema::ConfigRow& row : group.rows) stage.again.push_back(row.config_index);
}

measure::Stage control_stage(const schema::RunFile& run, const Controls& controls) {
  measure::Stage stage;
  stage.purpose = schema::Purpose::control;
  stage.blocks = controls.blocks;
  stage.budget_s = controls.budget_s;
  const schema::Summary summary = analyze::analyze(std::span(&run, 1));
  for (const schema::Group& group : summary.groups) add_controls(group, stage);
  return stage;
}

void add_again(const schema::RunFile& run, const schema::RunConfig& config, measure::Stage& stage) {
  const auto found = std::find(run.configs.begin(), run.configs.end(), config);
  if (found == run.configs.end()) return;
  const int index = static_cast<int>(found - run.configs.begin());
  const bool known = std::find(stage.again.begin(), stage.again.end(), index) != stage.again.end();
  if (!known) stage.again.push_back(index);
}

// What another intervention, or the main part, measures already is not added twice.
void add_once(const schema::RunFile& run, const schema::RunConfig& config, measure::Stage& stage) {
  if (std::find(run.configs.begin(), run.configs.end(), config) != run.configs.end()) {
    return add_again(run, config, stage);
  }
  const bool known = std::find(stage.added.begin(), stage.added.end(), config) != stage.added.end();
  if (!known) stage.added.push_back(config);
}

measure::Stage intervention_stage(const schema::RunFile& run, const Diagnosis& diagnosis) {
  measure::Stage stage;
  stage.purpose = schema::Purpose::intervention;
  stage.blocks = diagnosis.blocks;
  stage.budget_s = diagnosis.budget_s;
  auto proposed = analyze::proposed_interventions(run);
  proposed.resize(std::min(proposed.size(), diagnosis.most));
  for (const analyze::Intervention& one : proposed) {
    for (const analyze::Contrast& contrast : one.contrasts) {
      add_again(run, contrast.config, stage);
      add_once(run, contrast.without, stage);
    }
  }
  return stage;
}

// One visit a size is enough to raise a suspicion; what is claimed of it rests on the intervention.
measure::Stage diagnostic_stage(const schema::RunFile& run, const Diagnosis& diagnosis) {
  measure::Stage stage;
  stage.purpose = schema::Purpose::diagnostic;
  stage.blocks = 1;
  stage.budget_s = diagnosis.budget_s;
  for (const schema::RunConfig& config : analyze::worth_diagnosing(run)) {
    add_again(run, config, stage);
  }
  return stage;
}

measure::Stage verify_stage(const schema::RunFile& run, const Verification& verification) {
  measure::Stage stage;
  stage.purpose = schema::Purpose::verify;
  stage.blocks = verification.blocks;
  stage.budget_s = verification.budget_s;
  for (const auto& pick : analyze::analyze(std::span(&run, 1)).recommendations) {
    if (!pick.baseline) continue;
    add_again(run, *pick.baseline, stage);
    add_again(run, pick.config, stage);
  }
  return stage;
}

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
  if (done && follow_ups.diagnosis.look) {
    done = follow_up(session, schema::Purpose::diagnostic, *reason,
                     [&](const auto& run) { return diagnostic_stage(run, follow_ups.diagnosis); });
  }
  if (done && follow_ups.diagnosis.interventions) {
    done = follow_up(session, schema::Purpose::intervention, *reason, [&](const auto& run) {
      return intervention_stage(run, follow_ups.diagnosis);
    });
  }
  if (done && follow_ups.verification.automatic) {
    done = follow_up(session, schema::Purpose::verify, *reason,
                     [&](const auto& run) { return verify_stage(run, follow_ups.verification); });
  }
  if (!done) return done.error();
  return session.finish(*reason);
}

}  // namespace batchscope::study
