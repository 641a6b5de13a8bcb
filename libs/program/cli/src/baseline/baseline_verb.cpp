#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "batchscope/api/baselines.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/subprocess.hpp"
#include "batchscope/report/baselines.hpp"
#include "command.hpp"
#include "compare/show_versions.hpp"

namespace batchscope::cli {
namespace {

using base::ErrorKind;

// What is checked out in this folder; empty where git knows nothing of it, or is not there.
std::string commit_here() {
  const auto described = base::run_command({"git", "describe", "--always", "--dirty", "--tags"}, "",
                                           std::chrono::seconds(10));
  if (!described || described->exit_code != 0) return "";
  return std::string(base::trim(described->standard_output));
}

}  // namespace

int baseline_save_verb(const std::vector<std::string>& arguments) {
  api::SaveOptions options;
  std::filesystem::path folder;
  bool add = false, overwrite = false;
  Command command("baseline save", "Save run files under a name, with machine and commit.");
  command.app()
      .add_option("NAME", options.name, "name of the baseline, such as main or v1.2")
      ->required();
  command.app()
      .add_option("RUN", options.runs, "run files, at least 3 to compare with")
      ->required();
  command.app().add_option("--dir", folder, "folder of the baselines");
  auto* const commit = command.app().add_option(
      "--commit", options.commit, "measured commit (default: git describe of this folder)");
  auto* const adds = command.app().add_flag("--add", add, "add to the saved runs of that name");
  command.app()
      .add_flag("--overwrite", overwrite, "replace the saved runs of that name")
      ->excludes(adds);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log = make_log();
  if (commit->count() == 0) options.commit = commit_here();
  options.now = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  options.if_saved = add         ? api::IfSaved::add
                     : overwrite ? api::IfSaved::replace
                                 : api::IfSaved::refuse;
  const auto made = api::save_baseline(baselines_folder(folder), options);
  if (!made) return fail(log, made.error());
  log.info(fmt::format("{} holds {}{}", made->name, base::counted(made->runs.size(), "run"),
                       options.commit.empty() ? "" : ", the latest from " + options.commit));
  return kDone;
}

int baseline_list_verb(const std::vector<std::string>& arguments) {
  std::filesystem::path folder;
  Format format = Format::text;
  Command command("baseline list", "List the saved baselines.");
  command.app().add_option("--dir", folder, "folder of the baselines");
  add_format(command.app(), format, {Format::text, Format::json}, "text or json");
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log = make_log();
  const auto all = api::baselines_in(baselines_folder(folder));
  if (!all) return fail(log, all.error());
  const auto written = write_output(
      {}, format == Format::json ? report::baselines_json(*all) : report::baselines_text(*all));
  return written ? static_cast<int>(kDone) : fail(log, written.error());
}

int baseline_compare_verb(const std::vector<std::string>& arguments) {
  std::string name;
  VersionFlags flags;
  std::vector<std::string> runs;
  Command command("baseline compare", "Tell whether run files are slower than a baseline.");
  command.app().add_option("NAME", name, "name of the baseline")->required();
  command.app().add_option("RUN", runs, "run files of the new version")->required();
  add_flags(command.app(), flags);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log = make_log(flags.quiet);
  if (flags.output.path == "-") flags.output.path.clear();
  const auto folder = baselines_folder(flags.baselines);
  const auto known = api::find_baseline(folder, name);
  if (!known) return fail(log, known.error());
  if (!*known) {
    return fail(log, {ErrorKind::usage, "no baseline has this name", name,
                      meant_baseline(name, folder) +
                          "batchscope baseline list shows them; batchscope baseline save " + name +
                          " RUN saves one"});
  }
  api::Side kept{name, {}};
  for (const schema::SavedRun& run : (*known)->runs) kept.runs.push_back(run.file);
  const std::string called = runs.size() == 1 ? runs.front() : "new";
  return show_sides(kept, {called, runs}, flags, log);
}

}  // namespace batchscope::cli
