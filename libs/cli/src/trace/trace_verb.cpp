#include <filesystem>

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/report/trace.hpp"
#include "batchscope/trace/reader.hpp"
#include "command.hpp"
#include "format.hpp"
#include "output.hpp"

namespace batchscope::cli {
namespace {

struct TraceFlags {
  std::vector<std::string> files;
  Format format = Format::text;
  Output output;
  std::string step;
  bool all = false;
};

void add_flags(CLI::App& app, TraceFlags& flags) {
  app.add_option("FILE", flags.files,
                 "traces of torch.profiler (.json, .json.gz, .json.zst), SQLite exports of Nsight "
                 "Systems, or - for standard input")
      ->required();
  add_format(app, flags.format, {Format::text, Format::json, Format::csv, Format::md},
             "text, json, csv or md");
  app.add_option("-o,--output", flags.output.path, "write to a file instead of standard output");
  app.add_flag("--overwrite", flags.output.overwrite, "replace the output if it exists");
  app.add_option("--step", flags.step,
                 "ranges whose names begin so are the steps (default: ProfilerStep#, else what "
                 "repeats)");
  app.add_flag("--all", flags.all, "also steps, the longest idle times, operators and memory");
}

std::string rendered(const advice::TraceSummary& summary, const TraceFlags& flags) {
  if (flags.format == Format::json) return advice::to_json(summary);
  if (flags.format == Format::csv) return report::trace_csv(summary);
  if (flags.format == Format::md) return report::trace_markdown(summary);
  report::TextStyle style = text_options(flags.output);
  style.extent = flags.all ? report::Extent::all : report::Extent::usual;
  return report::trace_text(summary, style);
}

}  // namespace

int trace_verb(const std::vector<std::string>& arguments) {
  TraceFlags flags;
  Command command("trace",
                  "Read a trace that a profiler recorded, and say where the GPU's time went and "
                  "what to change.");
  add_flags(command.app(), flags);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log = make_log();
  if (auto writable = check_writable(flags.output); !writable) return fail(log, writable.error());
  auto trace = trace::TraceReader().read(flags.files.front());
  if (!trace) return fail(log, trace.error());
  advice::SummaryOptions options;
  options.attribution.step_prefix = flags.step;
  const advice::TraceSummary summary = advice::summarise(*trace, options);
  const auto written = write_output(flags.output, rendered(summary, flags), look_of(flags.format));
  return written ? kDone : fail(log, written.error());
}

}  // namespace batchscope::cli
