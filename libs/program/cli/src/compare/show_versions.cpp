#include "show_versions.hpp"

#include "batchscope/api/baselines.hpp"
#include "batchscope/api/recorded.hpp"
#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/nearest.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/report/html.hpp"
#include "batchscope/report/json.hpp"
#include "batchscope/report/versions.hpp"
#include "install_paths.hpp"
#include "recorded_inputs.hpp"
#include "shell_commands.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

bool is_page(const Output& output) {
  return output.path.extension() == ".html";
}

Result<std::string> rendered(const api::ComparedVersions& made,
                             const std::vector<schema::RunFile>& runs, const VersionFlags& flags) {
  if (is_page(flags.output)) {
    return report::html(made.summary, runs, {.commands = shell_commands()});
  }
  if (flags.format == Format::json) return report::to_json(made.versions) + "\n";
  const bool markdown = flags.format == Format::md || flags.output.path.extension() == ".md";
  if (markdown) return report::version_markdown(made.versions);
  return report::version_text(made.versions, text_options(flags.output, flags.brief));
}

// Asked before anything is measured.
Result<void> check_page(const Output& output) {
  if (!is_page(output) || report::has_html()) return {};
  return report::html({}, {}).error();
}

}  // namespace

Result<double> read_margin(const std::string& typed) {
  const auto margin = base::parse_ratio(typed);
  if (margin && *margin > 0 && *margin < 1) return *margin;
  return Error{ErrorKind::usage, "must be a share above 0% and below 100%", "--margin",
               "use --margin 2%"};
}

void add_flags(CLI::App& app, VersionFlags& flags) {
  const char* const group = "How to compare";
  app.add_option("--margin", flags.margin,
                 "tolerated slowdown (default: 2%); beyond, the exit code is 5")
      ->group(group);
  app.add_flag("--in-pairs", flags.in_pairs,
               "the sides took turns; the first run of each side together, and so on")
      ->group(group);
  app.add_flag("--allow-inconclusive", flags.gates.allow_inconclusive,
               "exit 0 instead of 6 if the comparison cannot tell")
      ->group(group);
  app.add_option("--dir", flags.baselines,
                 "folder of baselines (default: in the user's data folder)")
      ->group(group);
  add_format(app, flags.format, {Format::text, Format::json, Format::md}, "text, json or md")
      ->group("Output");
  app.add_option("-o,--output", flags.output.path,
                 "write to a file instead of standard output (-); FILE.html is a page that leads "
                 "with the comparison")
      ->group("Output");
  app.add_option("--junit", flags.gates.junit, "write the results to this file, as JUnit XML")
      ->group("Output");
  app.add_option("--annotations", flags.gates.annotations,
                 "print the results as a build server's annotations: github")
      ->check(CLI::IsMember({"github"}))
      ->group("Output");
  app.add_flag("--overwrite", flags.output.overwrite, "replace outputs that exist")
      ->group("Output");
  app.add_flag("--brief", flags.brief, "print the answer alone (text)")->group("Output");
  app.add_flag("-q,--quiet", flags.quiet, "print only errors on standard error")->group("Output");
}

std::filesystem::path baselines_folder(const std::filesystem::path& typed) {
  return typed.empty() ? api::default_baselines_folder() : typed;
}

std::string meant_baseline(const std::string& typed, const std::filesystem::path& folder) {
  const auto all = api::baselines_in(folder);
  if (!all) return base::did_you_mean(typed, {});
  return base::did_you_mean(
      typed, base::mapped(*all, [](const schema::Baseline& each) { return each.name; }));
}

Result<api::CompareOptions> read_flags(const VersionFlags& flags,
                                       const std::vector<std::string>& inputs) {
  api::CompareOptions options;
  const auto margin = read_margin(flags.margin);
  if (!margin) return margin.error();
  options.margin = *margin;
  options.in_pairs = flags.in_pairs;
  options.names = inputs;
  if (auto can = check_page(flags.output); !can) return can.error();
  for (const auto& path : {flags.output.path, flags.gates.junit}) {
    if (auto writable = check_outputs({path, flags.output.overwrite}, inputs); !writable) {
      return writable.error();
    }
  }
  return options;
}

int show_versions(const std::vector<schema::RunFile>& runs, const api::CompareOptions& options,
                  const VersionFlags& flags, const base::Log& log) {
  const auto made = api::compare(this_program(), runs, options);
  if (!made) return fail(log, made.error());
  const auto look = look_of(flags.format);
  const auto result = rendered(*made, runs, flags);
  if (!result) return fail(log, result.error());
  const auto written = write_output(flags.output, *result, look);
  if (!written) return fail(log, written.error());
  const findings::Gate& gate = made->versions.gate;
  const auto reported = write_gate_reports({&gate, 1}, flags.gates, flags.output.overwrite);
  if (!reported) return fail(log, reported.error());
  if (!flags.output.path.empty()) log.info(made->versions.message);
  return code_of(gate, flags.gates.allow_inconclusive);
}

int show_sides(const api::Side& old_side, const api::Side& new_side, const VersionFlags& flags,
               const base::Log& log) {
  std::vector<std::string> paths = old_side.runs;
  paths.insert(paths.end(), new_side.runs.begin(), new_side.runs.end());
  if (auto apart = api::check_apart(old_side, new_side); !apart) return fail(log, apart.error());
  if (flags.in_pairs && old_side.runs.size() != new_side.runs.size()) {
    return fail(log, {ErrorKind::usage, "needs the same number of runs on both sides", "--in-pairs",
                      "name the same number, in the order of measurement"});
  }
  auto options = read_flags(flags, paths);
  if (!options) return fail(log, options.error());
  const auto runs = api::read_runs(paths);
  if (!runs) return fail(log, runs.error());
  options->old_runs = old_side.runs.size();
  options->old_name = old_side.name;
  options->new_name = new_side.name;
  return show_versions(*runs, *options, flags, log);
}

}  // namespace batchscope::cli
