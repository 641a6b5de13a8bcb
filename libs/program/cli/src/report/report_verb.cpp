#include "batchscope/api/monitored.hpp"
#include "batchscope/api/recorded.hpp"
#include "batchscope/api/report.hpp"
#include "batchscope/api/trace.hpp"
#include "batchscope/host/own_names.hpp"
#include "batchscope/trace/formats.hpp"
#include "command.hpp"
#include "compare/show_versions.hpp"
#include "install_paths.hpp"
#include "output.hpp"
#include "recorded_inputs.hpp"
#include "shell_commands.hpp"

namespace batchscope::cli {
namespace {

namespace fs = std::filesystem;

struct ReportFlags {
  std::vector<std::string> files;  // as they were typed
  std::vector<std::string> runs;
  std::vector<fs::path> traces;
  Output output;
  std::string practical;
  std::string margin = kDefaultMargin;
  bool redact = false;

  bool markdown() const { return output.path.extension() == ".md"; }
  // Beside the report, under its name.
  fs::path charts() const {
    fs::path folder = output.path;
    return folder.replace_extension().concat("_charts");
  }
};

void add_flags(CLI::App& app, ReportFlags& flags) {
  app.add_option("RUN", flags.files,
                 "run files (several share the charts), a monitor recording, or a training log "
                 "(trainer_state.json, metrics.csv, ...). Trace files (" +
                     trace::endings() + ") appear next to the causes")
      ->required();
  app.add_option("-o,--output", flags.output.path,
                 "the report to write: FILE.html, or FILE.md with its charts in FILE_charts")
      ->required();
  app.add_flag("--overwrite", flags.output.overwrite, "replace the output if it exists");
  app.add_option("--practical", flags.practical, "smallest relevant gain (default 1%)");
  app.add_option(
      "--margin", flags.margin,
      "tolerated slowdown between models, engines or runs: a line in the plot (HTML; default 2%)");
  app.add_flag("--redact", flags.redact,
               "omit host names, user names, folders and other private details");
}

// Errors: usage.
base::Result<void> tell_apart(ReportFlags& flags) {
  // The log of a training may be called as a trace is.
  const bool is_log = flags.files.size() == 1 && api::is_monitor_log(flags.files.front());
  for (const std::string& file : flags.files) {
    if (trace::is_named_as_a_trace(file) && !is_log) {
      flags.traces.emplace_back(file);
    } else {
      flags.runs.push_back(file);
    }
  }
  if (!flags.runs.empty()) return {};
  return base::Error{base::ErrorKind::usage, "a report needs a run, but these are traces",
                     flags.files.front(), "name a run file too, or use batchscope trace"};
}

base::Result<void> check(const ReportFlags& flags) {
  const fs::path extension = flags.output.path.extension();
  if (extension != ".html" && extension != ".md") {
    return base::Error{base::ErrorKind::usage, "a report is FILE.html or FILE.md",
                       flags.output.path.string(), "write for example -o report.html"};
  }
  if (auto writable = check_outputs(flags.output, flags.files); !writable) return writable;
  if (!flags.markdown()) return {};
  return check_writable({flags.charts(), flags.output.overwrite});
}

api::ReportOptions options_of(const ReportFlags& flags, std::optional<double> practical,
                              double margin) {
  api::ReportOptions options;
  options.names = flags.runs;
  options.traces = flags.traces;
  options.practical = practical;
  options.margin = margin;
  options.redacted = flags.redact;
  options.private_names = host::own_names();
  options.page = flags.markdown() ? api::Page::markdown : api::Page::html;
  options.charts = flags.charts();
  options.commands = shell_commands();
  return options;
}

// A file that a monitor recorded is told by itself.
bool is_of_a_monitor(const ReportFlags& flags) {
  return flags.runs.size() == 1 && flags.traces.empty() && api::is_monitor_log(flags.runs.front());
}

int report_monitored(const ReportFlags& flags, const base::Log& log) {
  if (flags.redact) {
    return fail(log, {base::ErrorKind::usage, "does not apply to a monitor recording", "--redact",
                      "remove it"});
  }
  const auto page = flags.markdown() ? api::Page::markdown : api::Page::html;
  const auto report = api::report_log(flags.runs.front(), page);
  if (!report) return fail(log, report.error());
  for (const std::string& doubt : report->doubts) log.warning(doubt);
  const auto written = write_output(flags.output, report->text);
  if (!written) return fail(log, written.error());
  if (!report->note.empty()) log.info(report->note);
  log.info("report: " + flags.output.path.string());
  return kDone;
}

}  // namespace

int report_verb(const std::vector<std::string>& arguments) {
  ReportFlags flags;
  Command command("report", "Write a report of a run, to read and to share.");
  add_flags(command.app(), flags);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;

  const base::Log log = make_log();
  if (auto reported = tell_apart(flags); !reported) return fail(log, reported.error());
  if (auto checked = check(flags); !checked) return fail(log, checked.error());
  if (is_of_a_monitor(flags)) return report_monitored(flags, log);
  const auto practical = read_practical(flags.practical);
  if (!practical) return fail(log, practical.error());
  const auto margin = read_margin(flags.margin);
  if (!margin) return fail(log, margin.error());
  auto runs = api::read_runs_or_search(flags.runs);
  if (!runs) return fail(log, runs.error());
  warn_of_repeats(flags.runs, log);
  const auto page =
      api::report(this_program(), *std::move(runs), options_of(flags, *practical, *margin));
  if (!page) return fail(log, page.error());
  if (auto written = write_output(flags.output, page->text); !written) {
    return fail(log, written.error());
  }
  if (page->charts_missing) return fail(log, *page->charts_missing);
  log.info("report: " + flags.output.path.string());
  return kDone;
}

}  // namespace batchscope::cli
