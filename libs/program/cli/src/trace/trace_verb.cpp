#include <filesystem>

#include "batchscope/api/trace.hpp"
#include "batchscope/trace/formats.hpp"
#include "batchscope/traceview/trace.hpp"
#include "command.hpp"
#include "format.hpp"
#include "output.hpp"

namespace batchscope::cli {
namespace {

struct TraceFlags {
  std::vector<std::filesystem::path> files;
  std::vector<std::filesystem::path> against;
  Format format = Format::text;
  Output output;
  Output annotated;  // --export
  api::TraceOptions options;
  bool all = false;
  bool compare = false;

  bool page() const { return output.path.extension() == ".html"; }
};

void add_flags(CLI::App& app, TraceFlags& flags) {
  app.add_option(
         "FILE", flags.files,
         "traces (" + trace::endings() +
             "), a file or a folder; several files are the ranks of a job; - is standard input")
      ->required();
  add_format(app, flags.format, {Format::text, Format::json, Format::csv, Format::md},
             "text, json, csv or md");
  app.add_option("-o,--output", flags.output.path,
                 "write to a file instead of standard output; FILE.html is a page (with a timeline "
                 "for one trace)");
  app.add_flag("--overwrite", flags.output.overwrite, "replace the outputs if they exist");
  app.add_option(
      "--step", flags.options.summary.attribution.step_prefix,
      "prefix of the names of step ranges (default: ProfilerStep#, else repeating work)");
  app.add_flag("--all", flags.all,
               "also print steps, the longest idle times, operators and memory");
  app.add_flag("--compare", flags.compare,
               "compare two files or folders, before and after; use --against for several "
               "recordings per side");
  app.add_option("--against", flags.against,
                 "with --compare: these files are after, the others before; several per side give "
                 "a CI of the change")
      ->type_name("FILE");
  app.add_option("--export", flags.annotated.path,
                 "write the trace with idle time by cause (for Perfetto and chrome://tracing)")
      ->type_name("FILE");
}

document::TextStyle style_of(const TraceFlags& flags) {
  document::TextStyle style = text_options(flags.output);
  style.extent = flags.all ? document::Extent::all : document::Extent::usual;
  return style;
}

base::Result<std::string> rendered(const advice::JobSummary& job, const TraceFlags& flags) {
  if (flags.page()) return traceview::job_html(job);
  if (flags.format == Format::json) return traceview::trace_json(job);
  if (flags.format == Format::csv) return traceview::trace_csv(job);
  if (flags.format == Format::md) return traceview::job_markdown(job);
  return traceview::job_text(job, style_of(flags));
}

base::Result<std::string> rendered(const advice::TraceComparison& comparison,
                                   const TraceFlags& flags) {
  if (flags.page()) return traceview::comparison_html(comparison);
  if (flags.format == Format::csv) return traceview::comparison_csv(comparison);
  if (flags.format == Format::json) return traceview::comparison_json(comparison);
  if (flags.format == Format::md) return traceview::comparison_markdown(comparison);
  return traceview::comparison_text(comparison, style_of(flags));
}

base::Result<std::string> compared(const TraceFlags& flags) {
  if (flags.against.empty() && flags.files.size() != 2) {
    return base::Error{base::ErrorKind::usage, "a comparison takes two files, before and after",
                       "--compare", "use --against for more per side"};
  }
  const bool two = flags.against.empty();
  const auto comparison =
      two ? api::compare_traces({flags.files[0]}, {flags.files[1]}, flags.options)
          : api::compare_traces(flags.files, flags.against, flags.options);
  if (!comparison) return comparison.error();
  return rendered(*comparison, flags);
}

base::Result<void> write_annotated(const TraceFlags& flags, const std::string& text,
                                   const base::Log& log) {
  if (auto written = write_output(flags.annotated, text); !written) return written;
  log.info("trace with idle time by cause: " + flags.annotated.path.string());
  return {};
}

void warn_of_steps(const advice::JobSummary& job, const TraceFlags& flags, const base::Log& log) {
  const std::string& prefix = flags.options.summary.attribution.step_prefix;
  if (prefix.empty() || job.ranks.empty()) return;
  const attribution::StepSource source = job.ranks.front().attribution.step_source;
  if (source == attribution::StepSource::named) return;
  const bool none = source == attribution::StepSource::none;
  log.warning("no range name begins with \"" + prefix + "\": " +
              (none ? "there are no steps" : "the steps are " + std::string(to_string(source))));
}

base::Result<std::string> reported(const TraceFlags& flags, const base::Log& log) {
  const bool one_file = flags.files.size() == 1 && flags.files.front() != "-";
  if (flags.options.annotate && !one_file) {
    return base::Error{base::ErrorKind::usage, "--export annotates a single file", "--export"};
  }
  if (!flags.against.empty() && !flags.compare) {
    return base::Error{base::ErrorKind::usage, "needs --compare", "--against"};
  }
  if (flags.compare) return compared(flags);
  const auto traced = api::trace(flags.files, flags.options);
  if (!traced) return traced.error();
  for (const std::string& each : traced->left_out) log.warning("skipped: " + each);
  warn_of_steps(traced->job, flags, log);
  auto text = rendered(traced->job, flags);
  if (!text || !flags.options.annotate) return text;
  if (auto written = write_annotated(flags, traced->annotated, log); !written) {
    return written.error();
  }
  return text;
}

}  // namespace

int trace_verb(const std::vector<std::string>& arguments) {
  TraceFlags flags;
  Command command("trace",
                  "Read profiler traces; show where the GPU's time went and what to change.");
  add_flags(command.app(), flags);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log = make_log();
  flags.annotated.overwrite = flags.output.overwrite;
  flags.options.summary.keep_pieces = flags.page();
  flags.options.annotate = !flags.annotated.path.empty();
  for (const Output* const output : {&flags.output, &flags.annotated}) {
    if (auto writable = check_writable(*output); !writable) return fail(log, writable.error());
  }
  const auto text = reported(flags, log);
  if (!text) return fail(log, text.error());
  const auto written = write_output(flags.output, *text, look_of(flags.format));
  if (!written) return fail(log, written.error());
  if (flags.page()) log.info("page: " + flags.output.path.string());
  return kDone;
}

}  // namespace batchscope::cli
