#include <fmt/format.h>

#include "batchscope/api/analyze.hpp"
#include "batchscope/api/recorded.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/capacity/max_batch_result.hpp"
#include "batchscope/charts/charts.hpp"
#include "batchscope/charts/scatter.hpp"
#include "batchscope/report/csv.hpp"
#include "batchscope/report/json.hpp"
#include "batchscope/report/markdown.hpp"
#include "batchscope/report/max_batch.hpp"
#include "batchscope/report/text.hpp"
#include "batchscope/schema/run_file.hpp"
#include "build_gates.hpp"
#include "command.hpp"
#include "format.hpp"
#include "install_paths.hpp"
#include "output.hpp"
#include "recorded_inputs.hpp"
#include "shell_commands.hpp"
#include "side_flags.hpp"

namespace batchscope::cli {
namespace {

namespace fs = std::filesystem;

struct AnalyzeFlags {
  std::vector<std::string> runs;  // of both sides, once they are known
  SideFlags sides;
  Format format = Format::text;
  Output output;
  std::string charts;  // folder; "auto" = beside the input
  GateFlags gates;
  std::string level = "95%";
  std::string latency_budget, latency_quantile, memory_limit, practical;
  int64_t current_batch_size = 0;  // 0: not typed
  bool quiet = false;
  bool details = false;
  bool brief = false;
};

void add_flags(CLI::App& app, AnalyzeFlags& flags) {
  app.add_option("RUN", flags.runs,
                 "run files; batchscope compares the first with each of the others");
  add_flags(app, flags.sides);
  add_format(app, flags.format, {Format::text, Format::json, Format::md, Format::csv},
             "text, json, md or csv");
  app.add_option("-o,--output", flags.output.path,
                 "write to a file instead of standard output (-)");
  app.add_flag("--overwrite", flags.output.overwrite, "replace the output if it exists");
  app.add_flag("--charts{auto}", flags.charts,
               "draw the charts; --charts=DIR names the folder (default: RUN_charts)");
  app.add_option("--level", flags.level, "confidence level of intervals and claims (default 95%)");
  app.add_option("--latency-budget", flags.latency_budget,
                 "longest time of a recommended batch (upper end of the CI), such as 200ms");
  app.add_option("--latency-quantile", flags.latency_quantile,
                 "latency that the budget bounds: mean, or any percentile, such as p95 (default: "
                 "as the run was measured for, else p50)");
  app.add_option("--memory-limit", flags.memory_limit,
                 "most memory for a recommended setting, all instances together, such as 8GiB");
  app.add_option("--current-batch-size", flags.current_batch_size,
                 "the current batch size, the baseline of the gain (default: the smallest)")
      ->check(CLI::Range(int64_t{1}, schema::kLargestSize));
  app.add_option("--practical", flags.practical, "smallest relevant gain (default 1%)");
  add_flags(app, flags.gates);
  CLI::Option* const details = app.add_flag("-v,--details", flags.details,
                                            "also show single iterations, phases, memory, laws and "
                                            "tests (text, md); for max-batch, every size tried");
  app.add_flag("--brief", flags.brief, "the answer alone (text)")->excludes(details);
  app.add_flag("-q,--quiet", flags.quiet, "print only warnings and errors on standard error");
}

constexpr const char* kMore =
    "\n--details: single iterations, phases, memory, laws, tests of differences. --brief: "
    "the answer.\n";

constexpr const char* kMoreOfSearch = "\n--details: every size tried. --brief: the answer.\n";

fs::path chart_folder(const AnalyzeFlags& flags) {
  if (flags.charts != "auto") return flags.charts;
  fs::path folder(flags.runs.front());
  return folder.replace_extension().concat("_charts");
}

// Charts that cannot be drawn cost a message and the exit code, never the table.
base::Result<std::vector<fs::path>> draw_charts(const AnalyzeFlags& flags,
                                                const findings::Summary& summary,
                                                std::optional<double> budget_ms) {
  if (flags.charts.empty()) return std::vector<fs::path>{};
  return charts::write_charts(summary, chart_folder(flags), {.latency_budget_ms = budget_ms});
}

// As it was typed, else as the runs have it.
std::optional<double> budget_ms(const analyze::Options& options,
                                const std::vector<schema::RunFile>& runs) {
  if (options.latency_budget_s) return 1000 * *options.latency_budget_s;
  return charts::latency_budget_ms(runs);
}

std::vector<fs::path> relative_to_output(std::vector<fs::path> charts, const fs::path& output) {
  const fs::path folder = output.empty() ? fs::current_path() : fs::absolute(output).parent_path();
  for (fs::path& chart : charts) chart = fs::absolute(chart).lexically_proximate(folder);
  return charts;
}

document::TextStyle style_of(const AnalyzeFlags& flags) {
  document::TextStyle style = text_options(flags.output, flags.brief);
  if (!flags.brief && !flags.details) style.extent = document::Extent::usual;
  return style;
}

std::string render(const AnalyzeFlags& flags, const findings::Summary& summary,
                   const std::vector<fs::path>& charts) {
  if (flags.format == Format::json) return report::to_json(summary) + "\n";
  if (flags.format == Format::csv) return report::csv(summary);
  if (flags.format == Format::md) {
    return report::markdown(summary, {.charts = relative_to_output(charts, flags.output.path),
                                      .commands = shell_commands(),
                                      .details = flags.details});
  }
  const document::TextStyle style = style_of(flags);
  const std::string text = report::text(summary, style, shell_commands());
  return style.extent == document::Extent::usual ? text + kMore : text;
}

base::Result<double> read_level(const AnalyzeFlags& flags) {
  auto level = base::parse_ratio(flags.level);
  if (!level) return std::move(level).error();
  if (*level < 0.5 || *level > 0.9999) {
    return base::Error{base::ErrorKind::usage, "a confidence level is between 50% and 99.99%",
                       "--level", "use --level 95%"};
  }
  return *level;
}

base::Result<api::AnalyzeOptions> read_options(const AnalyzeFlags& flags, double level) {
  api::AnalyzeOptions made;
  analyze::Options& options = made.analysis;
  options.level = level;
  options.names = flags.runs;
  options.baseline_runs = flags.sides.baseline.size();
  options.runs_in_pairs = flags.sides.in_pairs;
  const auto refuse = [](std::string what, const char* flag, std::string fix) {
    return base::Error{base::ErrorKind::usage, std::move(what), flag, std::move(fix)};
  };
  if (!flags.latency_budget.empty()) {
    const auto budget = base::parse_duration(flags.latency_budget);
    if (!budget) return refuse(budget.error().what, "--latency-budget", budget.error().fix);
    if (budget->count() <= 0) {
      return refuse("must be a time above 0", "--latency-budget", "use --latency-budget 200ms");
    }
    options.latency_budget_s = std::chrono::duration<double>(*budget).count();
  }
  if (!flags.latency_quantile.empty()) {
    const auto statistic = schema::parse_latency_statistic(flags.latency_quantile);
    if (!statistic) return statistic.error();
    options.latency_of = *statistic;
  }
  if (!flags.memory_limit.empty()) {
    const auto bytes = base::parse_bytes(flags.memory_limit);
    if (!bytes) return refuse(bytes.error().what, "--memory-limit", bytes.error().fix);
    if (*bytes <= 0) {
      return refuse("must be a size above 0", "--memory-limit", "use --memory-limit 8GiB");
    }
    options.memory_limit_bytes = *bytes;
  }
  if (flags.current_batch_size > 0) options.current_batch_size = flags.current_batch_size;
  const auto practical = read_practical(flags.practical);
  if (!practical) return practical.error();
  made.practical = *practical;
  return made;
}

std::string render(const AnalyzeFlags& flags, const capacity::MaxBatchResult& found,
                   const schema::RunFile& run) {
  if (flags.format == Format::json) return report::max_batch_json(found);
  if (flags.format == Format::csv) return report::max_batch_csv(found);
  if (flags.format == Format::md) {
    return report::markdown_report(report::max_batch_summary(found), std::span(&run, 1),
                                   {.commands = shell_commands()});
  }
  const document::TextStyle style = style_of(flags);
  std::string text = report::max_batch_text(found, style);
  if (style.extent == document::Extent::usual) text += kMoreOfSearch;
  return style.extent == document::Extent::all ? text + report::tries_text(found) : text;
}

int show_search(const schema::RunFile& run, const AnalyzeFlags& flags, const base::Log& log) {
  const auto found = capacity::recorded_max_batch(run, shell_commands(),
                                                  flags.runs.size() == 1 ? flags.runs.front() : "");
  if (!found) return fail(log, found.error());
  const auto written =
      write_output(flags.output, render(flags, *found, run), look_of(flags.format));
  return written ? static_cast<int>(kDone) : fail(log, written.error());
}

}  // namespace

int analyze_verb(const std::vector<std::string>& arguments) {
  AnalyzeFlags flags;
  Command command("analyze", "Scaling table, anomalies, comparisons and charts from run files.");
  add_flags(command.app(), flags);
  command.usual({"--format", "--output", "--charts", "--latency-budget", "--memory-limit",
                 "--fail-on-regression"});
  command.examples({"batchscope analyze run.jsonl --charts",
                    "batchscope analyze old.jsonl new.jsonl --fail-on-regression 3%"});
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;

  const base::Log log = make_log(flags.quiet);
  auto paths = run_paths(flags.runs, flags.sides);
  if (!paths) return fail(log, paths.error());
  flags.runs = *std::move(paths);
  const auto gates = read_gates(flags.gates, flags.runs, flags.sides);
  if (!gates) return fail(log, gates.error());
  const auto level = read_level(flags);
  if (!level) return fail(log, level.error());
  auto options = read_options(flags, *level);
  if (!options) return fail(log, options.error());
  options->analysis.regression_margin = gates->regression;
  options->fail_on = gates->fail_on;
  options->strict = flags.gates.strict;
  if (flags.output.path == "-") flags.output.path.clear();
  if (auto writable = check_outputs(flags.output, flags.runs); !writable)
    return fail(log, writable.error());
  if (auto writable = check_outputs({flags.gates.junit, flags.output.overwrite}, flags.runs);
      !writable)
    return fail(log, writable.error());
  const auto runs = api::read_runs_or_search(flags.runs);
  if (!runs) return fail(log, runs.error());
  if (api::is_search(runs->front())) return show_search(runs->front(), flags, log);
  warn_of_repeats(flags.runs, log);

  const auto budget = budget_ms(options->analysis, *runs);
  const auto summary = api::analyze(this_program(), *runs, *std::move(options));
  if (!summary) return fail(log, summary.error());
  const auto charts = draw_charts(flags, *summary, budget);
  const std::string result = render(flags, *summary, charts.value_or({}));
  if (auto written = write_output(flags.output, result, look_of(flags.format)); !written)
    return fail(log, written.error());
  if (!charts) return fail(log, charts.error());
  if (!charts->empty()) {
    log.info(charts::what_was_written(*charts, chart_folder(flags)));
  }
  const auto code = finish_gates(*summary, flags.gates, flags.output.overwrite, log);
  return code ? *code : fail(log, code.error());
}

}  // namespace batchscope::cli
