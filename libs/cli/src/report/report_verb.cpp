#include <pwd.h>
#include <unistd.h>

#include <array>

#include "batchscope/report/charts.hpp"
#include "batchscope/report/html.hpp"
#include "batchscope/report/markdown.hpp"
#include "batchscope/report/redact.hpp"
#include "command.hpp"
#include "output.hpp"
#include "recorded/analyzed_runs.hpp"
#include "recorded/read_runs.hpp"
#include "recorded/recorded_search.hpp"

namespace batchscope::cli {
namespace {

namespace fs = std::filesystem;

struct ReportFlags {
  std::vector<std::string> runs;
  Output output;
  std::string practical;
  bool redact = false;

  bool markdown() const { return output.path.extension() == ".md"; }
  // Beside the report, under its name.
  fs::path charts() const {
    fs::path folder = output.path;
    return folder.replace_extension().concat("_charts");
  }
};

void add_flags(CLI::App& app, ReportFlags& flags) {
  app.add_option("RUN", flags.runs, "run files; several are shown in the same charts")->required();
  app.add_option("-o,--output", flags.output.path,
                 "the report to write: FILE.html, or FILE.md with its charts in FILE_charts")
      ->required();
  app.add_flag("--overwrite", flags.output.overwrite, "replace the output if it exists");
  app.add_option("--practical", flags.practical,
                 "a gain below this is no reason to change anything (default: 1%)");
  app.add_flag(
      "--redact", flags.redact,
      "leave out host names, user names and folders, and what else strangers need not see");
}

base::Result<void> check(const ReportFlags& flags) {
  const fs::path extension = flags.output.path.extension();
  if (extension != ".html" && extension != ".md") {
    return base::Error{base::ErrorKind::usage, "a report is FILE.html or FILE.md",
                       flags.output.path.string(), "write for example -o report.html"};
  }
  if (auto writable = check_outputs(flags.output, flags.runs); !writable) return writable;
  if (!flags.markdown()) return {};
  return check_writable({flags.charts(), flags.output.overwrite});
}

// Who makes the report and where, which the runs need not have named.
std::vector<std::string> own_names() {
  std::vector<std::string> names;
  if (const passwd* user = getpwuid(getuid())) names.emplace_back(user->pw_name);
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) == 0) names.emplace_back(host.data());
  return names;
}

base::Result<void> write_html(const ReportFlags& flags, const findings::Summary& summary,
                              const std::vector<schema::RunFile>& runs) {
  const auto page = report::html(summary, runs, {.redacted = flags.redact});
  if (!page) return page.error();
  return write_output(flags.output, *page);
}

// Charts that cannot be drawn cost a message and the exit code, never the report.
base::Result<void> write_markdown(const ReportFlags& flags, const findings::Summary& summary,
                                  const std::vector<schema::RunFile>& runs) {
  // A search for the largest batch has no curve of times.
  const bool none = only_search(flags.runs).has_value();
  const auto charts =
      none ? base::Result(std::vector<fs::path>{}) : report::write_charts(summary, flags.charts());
  report::MarkdownReportOptions options{.charts = {}, .redacted = flags.redact};
  if (charts) {
    for (const fs::path& chart : *charts) {
      options.charts.push_back(flags.charts().filename() / chart.filename());
    }
  }
  const std::string text = report::markdown_report(summary, runs, options);
  if (auto written = write_output(flags.output, text); !written) return written;
  if (!charts) return charts.error();
  return {};
}

}  // namespace

int report_verb(const std::vector<std::string>& arguments) {
  ReportFlags flags;
  Command command("report", "Everything a run tells, to read and to send on.");
  add_flags(command.app(), flags);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;

  const base::Log log = make_log();
  if (auto checked = check(flags); !checked) return fail(log, checked.error());
  const auto practical = read_practical(flags.practical);
  if (!practical) return fail(log, practical.error());
  const auto search = only_search(flags.runs);
  auto runs = search ? base::Result(std::vector<schema::RunFile>{*search}) : read_runs(flags.runs);
  if (!runs) return fail(log, runs.error());
  warn_of_repeats(flags.runs, log);
  std::vector<std::string> names = flags.runs;
  if (flags.redact) report::redact(*runs, names, own_names());
  analyze::Options options;
  options.names = names;
  const auto summary = search ? summary_of_search(runs->front())
                              : base::Result(analyzed(*runs, std::move(options), *practical));
  if (!summary) return fail(log, summary.error());
  const auto written = flags.markdown() ? write_markdown(flags, *summary, *runs)
                                        : write_html(flags, *summary, *runs);
  if (!written) return fail(log, written.error());
  log.info("report: " + flags.output.path.string());
  return kDone;
}

}  // namespace batchscope::cli
