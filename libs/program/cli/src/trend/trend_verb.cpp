#include <fmt/format.h>

#include <filesystem>

#include "batchscope/api/sides.hpp"
#include "batchscope/api/trend.hpp"
#include "batchscope/report/json.hpp"
#include "batchscope/report/versions.hpp"
#include "command.hpp"
#include "compare/show_versions.hpp"
#include "format.hpp"
#include "output.hpp"
#include "recorded_inputs.hpp"

namespace batchscope::cli {
namespace {

namespace fs = std::filesystem;
using api::LabelledRun;

struct TrendFlags {
  std::vector<std::string> runs;
  Format format = Format::text;
  Output output;
  fs::path baselines;  // --dir
};

void add_flags(CLI::App& app, TrendFlags& flags) {
  app.add_option("RUN", flags.runs, "run files, folders of them, or names of baselines")
      ->required();
  add_format(app, flags.format, {Format::text, Format::json, Format::md}, "text, json or md");
  app.add_option("-o,--output", flags.output.path,
                 "write to a file instead of standard output (-); FILE.html is a page with charts");
  app.add_flag("--overwrite", flags.output.overwrite, "replace the output if it exists");
  app.add_option("--dir", flags.baselines, "folder of the baselines");
}

std::string rendered(const findings::Trend& trend, const TrendFlags& flags) {
  const fs::path extension = flags.output.path.extension();
  if (extension == ".html") return report::trend_html(trend);
  if (flags.format == Format::json) return report::to_json(trend) + "\n";
  if (flags.format == Format::md || extension == ".md") return report::trend_markdown(trend);
  return report::trend_text(trend, text_options(flags.output));
}

}  // namespace

int trend_verb(const std::vector<std::string>& arguments) {
  TrendFlags flags;
  Command command(
      "trend",
      "Show how times developed over runs, such as those of commits, and where they changed.");
  add_flags(command.app(), flags);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log = make_log();
  if (flags.output.path == "-") flags.output.path.clear();
  if (auto writable = check_outputs(flags.output, flags.runs); !writable) {
    return fail(log, writable.error());
  }
  std::vector<LabelledRun> runs;
  for (const std::string& typed : flags.runs) {
    auto history = api::read_history(typed, baselines_folder(flags.baselines));
    if (!history) return fail(log, history.error());
    for (const std::string& reported : history->left_out) log.warning("left out: " + reported);
    for (LabelledRun& run : history->runs) runs.push_back(std::move(run));
  }
  const auto trend = api::trend(std::move(runs));
  if (!trend) return fail(log, trend.error());
  const auto written = write_output(flags.output, rendered(*trend, flags), look_of(flags.format));
  if (!written) return fail(log, written.error());
  if (!flags.output.path.empty()) log.info("trend: " + flags.output.path.string());
  return kDone;
}

}  // namespace batchscope::cli
