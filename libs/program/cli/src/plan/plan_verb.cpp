#include <fmt/format.h>

#include "batchscope/api/plan.hpp"
#include "batchscope/api/recorded.hpp"
#include "batchscope/charts/charts.hpp"
#include "batchscope/report/plan.hpp"
#include "command.hpp"
#include "output.hpp"
#include "plan_flags.hpp"
#include "recorded_inputs.hpp"

namespace batchscope::cli {
namespace {

// A plan that keeps no bound is printed all the same; the exit code tells.
int finish(const PlanFlags& flags, const planning::CapacityPlan& plan, const base::Log& log) {
  const std::string result = flags.format == Format::json
                                 ? report::plan_json(plan)
                                 : report::plan_text(plan, text_options(flags.output));
  const auto made = flags.format == Format::json ? Written::plain : Written::styled;
  if (auto written = write_output(flags.output, result, made); !written) {
    return fail(log, written.error());
  }
  if (!flags.charts.empty()) {
    const auto charts = charts::write_plan_charts(plan, flags.chart_folder());
    if (!charts) return fail(log, charts.error());
    log.info(charts::what_was_written(*charts, flags.chart_folder()));
  }
  if (plan.recommended) return kDone;
  return fail(log, {base::ErrorKind::failed, plan.message, plan.p99_ms ? "--p99" : "--rate",
                    "allow more instances, a longer p99, or a lower rate"});
}

}  // namespace

int plan_verb(const std::vector<std::string>& arguments) {
  PlanFlags flags;
  Command command("plan",
                  "Find the batching policy, its settings and the number of instances for a given "
                  "load, by simulating requests over the measured times of a run.");
  flags.add_to(command.app());
  command.usual({"--rate", "--p99", "--arrivals", "--lengths", "--instances", "--max-batch-size",
                 "--charts", "--format", "--output"});
  command.examples({"batchscope plan run.jsonl --rate 40/s --p99 500ms",
                    "batchscope plan run.jsonl --rate 40/s --p99 500ms --arrivals file:times.txt"});
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;

  const base::Log log = make_log(flags.quiet);
  if (flags.output.path == "-") flags.output.path.clear();
  const auto selection = flags.selection();
  if (!selection) return fail(log, selection.error());
  const auto request = flags.request();
  if (!request) return fail(log, request.error());
  if (auto writable = check_outputs(flags.output, {flags.run}); !writable) {
    return fail(log, writable.error());
  }
  const auto runs = api::read_runs({flags.run});
  if (!runs) return fail(log, runs.error());
  const auto plan = api::plan(runs->front(), flags.run, {*selection, *request});
  if (!plan) return fail(log, plan.error());
  return finish(flags, *plan, log);
}

}  // namespace batchscope::cli
