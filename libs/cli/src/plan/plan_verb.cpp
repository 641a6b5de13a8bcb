#include <fmt/format.h>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/planning/plan.hpp"
#include "batchscope/report/plan.hpp"
#include "batchscope/tune/tune.hpp"
#include "command.hpp"
#include "output.hpp"
#include "plan_flags.hpp"
#include "recorded/read_runs.hpp"
#include "subject_flags.hpp"

namespace batchscope::cli {
namespace {

constexpr const char* kSettingFlags =
    "--engine, --device, --precision, --threads, --measured-instances, --mode or --env";

bool selects_a_setting(const planning::CostSelection& selection) {
  return selection.engine || selection.device || selection.precision || selection.threads ||
         selection.instances || selection.mode || selection.environment;
}

// What a tuning run recommends; nullopt: it is none, or what is planned for was typed. Errors:
// input (it recommends nothing).
base::Result<std::optional<schema::RunConfig>> recommended_setting(
    const schema::RunFile& run, const planning::CostSelection& selection, const std::string& name) {
  const auto goal = tune::read_goal(run.header);
  if (!goal || selects_a_setting(selection)) return std::optional<schema::RunConfig>();
  const tune::Tuned tuned = tune::tuned_of(run, *goal);
  if (tuned.outcome.pick && !tuned.withdrawn) {
    return std::optional(tuned.outcome.grid[*tuned.outcome.pick]);
  }
  return base::Error{base::ErrorKind::input, "this tuning run recommends no setting to plan for",
                     name, fmt::format("pick one with {}", kSettingFlags)};
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

// Of a tuning run those of the setting that it recommends, which is said.
base::Result<planning::MeasuredCosts> costs_of(const PlanFlags& flags, const schema::RunFile& run,
                                               planning::CostSelection selection) {
  const auto setting = recommended_setting(run, selection, flags.run);
  if (!setting) return setting.error();
  analyze::Options options;
  options.names = {flags.run};
  options.spelling = flag_of;
  const findings::Summary summary = analyze::analyze(std::span(&run, 1), options);
  if (!*setting) return flags.costs_of(summary, selection);
  select(**setting, selection);
  auto costs = flags.costs_of(summary, selection);
  if (!costs) {
    base::Error error = costs.error();
    error.what = fmt::format("of the setting that it recommends, {}, {}",
                             tune::setting_words(**setting), error.what);
    error.fix += fmt::format(", or plan another setting with {}", kSettingFlags);
    return error;
  }
  costs->warnings.insert(
      costs->warnings.begin(),
      fmt::format("The run compares settings: this is planned for the one that it recommends, {}. "
                  "Plan another with {}.",
                  schema::describe(costs->config), kSettingFlags));
  return costs;
}

// A plan that keeps no bound is printed all the same; the exit code tells.
int finish(const PlanFlags& flags, const planning::CapacityPlan& plan, const base::Log& log) {
  const bool terminal = flags.output.path.empty() && stdout_is_terminal();
  const std::string result =
      flags.format == Format::json
          ? planning::to_json(plan) + "\n"
          : report::plan_text(plan,
                              {.width = terminal ? terminal_width(110) : 110, .colour = terminal});
  const auto made = flags.format == Format::json ? Written::plain : Written::styled;
  if (auto written = write_output(flags.output, result, made); !written) {
    return fail(log, written.error());
  }
  if (!flags.charts.empty()) {
    const auto charts = report::write_plan_charts(plan, flags.chart_folder());
    if (!charts) return fail(log, charts.error());
    log.info(fmt::format("{} charts in {}", charts->size(), flags.chart_folder().string()));
  }
  if (plan.recommended) return kDone;
  return fail(log, {base::ErrorKind::failed, plan.message, plan.p99_ms ? "--p99" : "--rate",
                    "allow more instances, a later p99, or a lower rate"});
}

}  // namespace

int plan_verb(const std::vector<std::string>& arguments) {
  PlanFlags flags;
  Command command("plan",
                  "Which batching policy, with which settings, on how many instances: simulates "
                  "requests over the measured times of a run.");
  flags.add_to(command.app());
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;

  const base::Log log = make_log(flags.quiet);
  if (flags.output.path == "-") flags.output.path.clear();
  const auto selection = flags.selection();
  if (!selection) return fail(log, selection.error());
  auto request = flags.request();
  if (!request) return fail(log, request.error());
  if (auto writable = check_outputs(flags.output, {flags.run}); !writable) {
    return fail(log, writable.error());
  }
  const auto runs = read_runs({flags.run});
  if (!runs) return fail(log, runs.error());
  const auto costs = costs_of(flags, runs->front(), *selection);
  if (!costs) return fail(log, costs.error());
  const auto plan = planning::plan(*costs, *request);
  if (!plan) return fail(log, plan.error());
  return finish(flags, *plan, log);
}

}  // namespace batchscope::cli
