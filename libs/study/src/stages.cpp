#include "stages.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/base/algorithms.hpp"
#include "batchscope/causes/interventions.hpp"
#include "batchscope/timing/evidence.hpp"
#include "stage_budget.hpp"

namespace batchscope::study {
namespace {

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

}  // namespace

measure::Stage control_stage(const schema::RunFile& run, const ControlOptions& controls) {
  measure::Stage stage;
  stage.purpose = schema::Purpose::control;
  stage.blocks = controls.blocks;
  stage.budget_s = controls.budget_s;
  const findings::Summary summary = analyze::analyze(std::span(&run, 1));
  for (const findings::Group& group : summary.groups) add_controls(group, stage);
  return stage;
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

measure::Stage intervention_stage(const schema::RunFile& run, const DiagnosisOptions& diagnosis) {
  measure::Stage stage;
  stage.purpose = schema::Purpose::intervention;
  stage.blocks = diagnosis.blocks;
  stage.budget_s = diagnosis.budget_s;
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
  for (const auto& pick : analyze::analyze(std::span(&run, 1)).recommendations) {
    // Without a baseline there is still the bound to keep.
    const bool bound = pick.feasible && run.header.plan.latency_budget_s;
    // What cannot be told from the size that stays: fresh visits of both tell more.
    if (pick.looks_best) add_again(run, *pick.looks_best, stage);
    if (pick.looks_best) add_again(run, pick.config, stage);
    if (pick.baseline) add_again(run, *pick.baseline, stage);
    if (pick.baseline || bound) add_again(run, pick.config, stage);
  }
  return stage;
}

}  // namespace batchscope::study
