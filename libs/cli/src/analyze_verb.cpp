#include <fmt/format.h>

#include "analyzed_runs.hpp"
#include "batchscope/analyze/gates.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/report/charts.hpp"
#include "batchscope/report/csv.hpp"
#include "batchscope/report/markdown.hpp"
#include "batchscope/report/text.hpp"
#include "batchscope/schema/run_file.hpp"
#include "command.hpp"
#include "output.hpp"
#include "read_runs.hpp"

namespace batchscope::cli {
namespace {

namespace fs = std::filesystem;

struct AnalyzeFlags {
  std::vector<std::string> runs;
  std::string format = "text";
  Output output;
  std::string charts;                  // folder; "auto" = beside the input
  std::optional<std::string> fail_on;  // typed, be it empty: an unset variable must not open a gate
  std::optional<std::string> fail_on_regression;
  std::string level = "95%";
  std::string latency_budget, memory_limit;
  int64_t current_batch_size = 0;  // 0: not typed
  bool strict = false;
  bool quiet = false;
};

void add_flags(CLI::App& app, AnalyzeFlags& flags) {
  app.add_option("RUN", flags.runs, "run files; several are compared as independent samples")
      ->required();
  app.add_option("--format", flags.format, "text, json, md or csv")
      ->check(CLI::IsMember({"text", "json", "md", "csv"}));
  app.add_option("-o,--output", flags.output.path,
                 "write to a file instead of standard output (-)");
  app.add_flag("--overwrite", flags.output.overwrite, "replace the output if it exists");
  app.add_flag("--charts{auto}", flags.charts,
               "draw the charts; --charts=DIR names the folder (default: RUN_charts)");
  app.add_option("--level", flags.level, "confidence level of intervals and claims");
  app.add_option("--latency-budget", flags.latency_budget,
                 "recommend only what surely takes at most this a batch, such as 200ms");
  app.add_option("--memory-limit", flags.memory_limit,
                 "recommend only what needs at most this (all instances), such as 8GiB");
  app.add_option("--current-batch-size", flags.current_batch_size,
                 "the recommendation's gain is against it (default: the smallest size)")
      ->check(CLI::Range(int64_t{1}, schema::kLargestSize));
  app.add_option("--fail-on", flags.fail_on,
                 "exit 5 when a finding is at least this severe: info, low, medium, high");
  app.add_option("--fail-on-regression", flags.fail_on_regression,
                 "exit 5 when a comparison proves a slow-down of more than this, such as 3%");
  app.add_flag("--strict", flags.strict, "exit 4 when the run did not reach its target precision");
  app.add_flag("-q,--quiet", flags.quiet, "no messages on standard error but errors");
}

fs::path chart_folder(const AnalyzeFlags& flags) {
  if (flags.charts != "auto") return flags.charts;
  fs::path folder(flags.runs.front());
  return folder.replace_extension().concat("_charts");
}

// Charts that cannot be drawn cost a message and the exit code, never the table.
base::Result<std::vector<fs::path>> draw_charts(const AnalyzeFlags& flags,
                                                const schema::Summary& summary) {
  if (flags.charts.empty()) return std::vector<fs::path>{};
  return report::write_charts(summary, chart_folder(flags));
}

std::vector<fs::path> relative_to_output(std::vector<fs::path> charts, const fs::path& output) {
  const fs::path folder = output.empty() ? fs::current_path() : fs::absolute(output).parent_path();
  for (fs::path& chart : charts) chart = fs::absolute(chart).lexically_proximate(folder);
  return charts;
}

std::string render(const AnalyzeFlags& flags, const schema::Summary& summary,
                   const std::vector<fs::path>& charts) {
  if (flags.format == "json") return schema::to_json(summary) + "\n";
  if (flags.format == "csv") return report::csv(summary);
  if (flags.format == "md") {
    return report::markdown(summary, {.charts = relative_to_output(charts, flags.output.path)});
  }
  const bool terminal = flags.output.path.empty() && stdout_is_terminal();
  return report::text(summary, {.width = terminal ? terminal_width(110) : 110, .colour = terminal});
}

struct Gates {
  std::optional<schema::Severity> fail_on;
  std::optional<double> regression;
  double level = 0.95;
};

base::Result<Gates> parse_gates(const AnalyzeFlags& flags) {
  Gates gates;
  if (flags.fail_on) {
    auto severity = schema::parse_severity(*flags.fail_on);
    if (!severity) return std::move(severity).error();
    gates.fail_on = *severity;
  }
  if (flags.fail_on_regression) {
    auto limit = base::parse_ratio(*flags.fail_on_regression);
    if (!limit) return std::move(limit).error();
    gates.regression = *limit;
  }
  auto level = base::parse_ratio(flags.level);
  if (!level) return std::move(level).error();
  if (*level < 0.5 || *level > 0.9999) {
    return base::Error{base::ErrorKind::usage, "a confidence level lies between 50% and 99.99%",
                       "--level", "use --level 95%"};
  }
  gates.level = *level;
  return gates;
}

base::Result<analyze::Options> read_options(const AnalyzeFlags& flags, double level) {
  analyze::Options options{.level = level, .names = flags.runs};
  const auto refuse = [](const char* what, const char* flag, const char* fix) {
    return base::Error{base::ErrorKind::usage, what, flag, fix};
  };
  if (!flags.latency_budget.empty()) {
    const auto budget = base::parse_duration(flags.latency_budget);
    if (!budget || budget->count() <= 0) {
      return refuse("must be a time above 0", "--latency-budget", "use --latency-budget 200ms");
    }
    options.latency_budget_s = std::chrono::duration<double>(*budget).count();
  }
  if (!flags.memory_limit.empty()) {
    const auto bytes = base::parse_bytes(flags.memory_limit);
    if (!bytes || *bytes <= 0) {
      return refuse("must be a size above 0", "--memory-limit", "use --memory-limit 8GiB");
    }
    options.memory_limit_bytes = *bytes;
  }
  if (flags.current_batch_size > 0) options.current_batch_size = flags.current_batch_size;
  return options;
}

int verdict(const Gates& gates, const AnalyzeFlags& flags, const schema::Summary& summary,
            const base::Log& log) {
  if (gates.fail_on && analyze::has_finding(summary, *gates.fail_on)) {
    log.error(
        fmt::format("a finding of severity {} or more was found (--fail-on)", *flags.fail_on));
    return kFindingReached;
  }
  if (gates.regression) {
    if (summary.comparisons.empty()) {
      return fail(log, {base::ErrorKind::usage, "nothing could be compared", "--fail-on-regression",
                        "give two runs of the same model, or measure both models in one run"});
    }
    for (const schema::Comparison* comparison : analyze::regressions(summary, *gates.regression)) {
      log.error(fmt::format("regression: {}", comparison->message));
    }
    if (!analyze::regressions(summary, *gates.regression).empty()) return kFindingReached;
  }
  if (flags.strict && !analyze::is_precise(summary)) {
    log.error(
        "the target precision was not reached (--strict); measure more blocks, or raise --target");
    return kNotPrecise;
  }
  return kDone;
}

}  // namespace

int analyze_verb(const std::vector<std::string>& arguments) {
  AnalyzeFlags flags;
  Command command("analyze", "Scaling table, anomalies, comparisons and charts from run files.");
  add_flags(command.app(), flags);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;

  const base::Log log(flags.quiet ? base::LogLevel::quiet : base::LogLevel::normal);
  const auto gates = parse_gates(flags);
  if (!gates) return fail(log, gates.error());
  const auto options = read_options(flags, gates->level);
  if (!options) return fail(log, options.error());
  if (flags.output.path == "-") flags.output.path.clear();
  if (auto writable = check_outputs(flags.output, flags.runs); !writable)
    return fail(log, writable.error());
  const auto runs = read_runs(flags.runs);
  if (!runs) return fail(log, runs.error());
  warn_of_repeats(flags.runs, log);

  const schema::Summary summary = analyzed(*runs, *options);
  const auto charts = draw_charts(flags, summary);
  const std::string result = render(flags, summary, charts.value_or({}));
  if (auto written = write_output(flags.output, result); !written)
    return fail(log, written.error());
  if (!charts) return fail(log, charts.error());
  if (!charts->empty()) {
    log.info(fmt::format("{} charts in {}", charts->size(), chart_folder(flags).string()));
  }
  return verdict(*gates, flags, summary, log);
}

}  // namespace batchscope::cli
