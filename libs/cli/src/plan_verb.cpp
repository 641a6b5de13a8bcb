#include <fmt/format.h>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/batching/plan.hpp"
#include "batchscope/report/plan.hpp"
#include "command.hpp"
#include "output.hpp"
#include "plan_flags.hpp"
#include "read_runs.hpp"

namespace batchscope::cli {
namespace {

// A plan that keeps no bound is printed all the same; the exit code tells.
int finish(const PlanFlags& flags, const batching::Plan& plan, const base::Log& log) {
  const bool terminal = flags.output.path.empty() && stdout_is_terminal();
  const std::string result =
      flags.format == "json"
          ? batching::to_json(plan) + "\n"
          : report::plan_text(plan,
                              {.width = terminal ? terminal_width(110) : 110, .colour = terminal});
  if (auto written = write_output(flags.output, result); !written) {
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

  const base::Log log(flags.quiet ? base::LogLevel::quiet : base::LogLevel::normal);
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
  const schema::Summary summary = analyze::analyze(*runs, {.names = {flags.run}});
  const auto costs = flags.costs_of(summary, *selection);
  if (!costs) return fail(log, costs.error());
  const auto plan = batching::plan(*costs, *request);
  if (!plan) return fail(log, plan.error());
  return finish(flags, *plan, log);
}

}  // namespace batchscope::cli
