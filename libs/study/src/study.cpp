#include "batchscope/study/study.hpp"

#include <algorithm>
#include <span>

#include "batchscope/analyze/analyze.hpp"

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

bool has_controls(const schema::RunFile& run) {
  return std::any_of(run.visits.begin(), run.visits.end(), [](const schema::Visit& visit) {
    return visit.purpose == schema::Purpose::control;
  });
}

}  // namespace

Result<schema::End> run(measure::Session& session, const Controls& controls) {
  if (auto begun = session.begin(); !begun) return begun.error();
  auto reason = session.run_main();
  if (!reason) return std::move(reason).error();
  // A resumed run that had begun its control stage is not given a second one.
  const bool open =
      *reason != "interrupted" && *reason != "nothing-left" && !has_controls(session.recorded());
  if (controls.automatic && open) {
    const measure::Stage stage = control_stage(session.recorded(), controls);
    if (!stage.added.empty()) {
      auto stage_reason = session.run_stage(stage);
      if (!stage_reason) return std::move(stage_reason).error();
      if (*stage_reason == "interrupted") reason = std::move(stage_reason);
    }
  }
  return session.finish(*reason);
}

}  // namespace batchscope::study
