#include "batchscope/api/plan.hpp"

#include <fmt/format.h>

#include <set>
#include <span>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/tune/tune.hpp"

namespace batchscope::api {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// What a setting consists of.
constexpr const char* kSettingFlags =
    "--engine, --device, --precision, --threads, --measured-instances, --mode or --env";

bool selects_a_setting(const planning::CostSelection& selection) {
  return selection.engine || selection.device || selection.precision || selection.threads ||
         selection.instances || selection.mode || selection.environment;
}

// What a tuning run recommends; nullopt: it is none, or what is planned for was selected. Errors:
// input (it recommends nothing).
Result<std::optional<schema::RunConfig>> recommended_setting(
    const schema::RunFile& run, const planning::CostSelection& selection, const std::string& name) {
  const auto goal = tune::read_goal(run.header);
  if (!goal || selects_a_setting(selection)) return std::optional<schema::RunConfig>();
  const tune::Tuned tuned = tune::tuned_of(run, *goal);
  if (tuned.outcome.pick && !tuned.withdrawn) {
    return std::optional(tuned.outcome.grid[*tuned.outcome.pick]);
  }
  return Error{ErrorKind::input, "this tuning run recommends no setting to plan for", name,
               fmt::format("pick one with {}", kSettingFlags)};
}

void select(const schema::RunConfig& setting, planning::CostSelection& selection) {
  selection.engine = setting.engine;
  selection.device = setting.device;
  selection.precision = setting.precision;
  selection.threads = setting.threads;
  selection.instances = setting.instances;
  selection.mode = setting.mode;
  selection.environment = setting.environment;
}

Result<planning::MeasuredCosts> selected_costs(const findings::Summary& summary,
                                               const std::string& name,
                                               planning::CostSelection selection,
                                               const std::optional<int>& instances) {
  std::set<int> measured;
  for (const findings::Group& group : summary.groups) measured.insert(group.key.instances);
  if (!selection.instances && measured.size() > 1) {
    const bool wanted = instances && measured.count(*instances) > 0;
    selection.instances = wanted ? *instances : *measured.begin();
  }
  return planning::measured_costs(summary, selection, name);
}

// Of a tuning run those of the setting that it recommends, which is said.
Result<planning::MeasuredCosts> costs_of(const schema::RunFile& run, const std::string& name,
                                         const PlanOptions& options) {
  planning::CostSelection selection = options.selection;
  const auto setting = recommended_setting(run, selection, name);
  if (!setting) return setting.error();
  analyze::Options analysis;
  analysis.names = {name};
  const findings::Summary summary = analyze::analyze(std::span(&run, 1), analysis);
  const auto& instances = options.request.instances;
  if (!*setting) return selected_costs(summary, name, selection, instances);
  select(**setting, selection);
  auto costs = selected_costs(summary, name, selection, instances);
  if (!costs) {
    Error error = costs.error();
    error.what = fmt::format("of the setting that it recommends, {}, {}",
                             tune::setting_words(**setting), error.what);
    error.fix += fmt::format(", or plan another setting with {}", kSettingFlags);
    return error;
  }
  costs->warnings.insert(costs->warnings.begin(),
                         fmt::format("The run compares settings: this plan is for the one that it "
                                     "recommends, {}. Plan for another with {}.",
                                     schema::describe(costs->config), kSettingFlags));
  return costs;
}

}  // namespace

Result<planning::CapacityPlan> plan(const schema::RunFile& run, const std::string& name,
                                    const PlanOptions& options) {
  const auto costs = costs_of(run, name, options);
  if (!costs) return costs.error();
  return planning::plan(*costs, options.request);
}

}  // namespace batchscope::api
