#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "batchscope/api/profile.hpp"
#include "batchscope/api/recorded.hpp"
#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/terminal.hpp"
#include "batchscope/commandline/interrupt.hpp"
#include "command.hpp"
#include "install_paths.hpp"
#include "measuring/profile_flags.hpp"
#include "measuring/run_file.hpp"
#include "progress/progress.hpp"
#include "show_versions.hpp"

namespace batchscope::cli {
namespace {

namespace fs = std::filesystem;
using api::Side;
using base::Error;
using base::ErrorKind;
using base::Result;

constexpr std::string_view kMeasuredRun = "compare.jsonl";

struct CompareFlags {
  std::string old_side;  // or a run of both versions
  std::string new_side;  // empty: not typed
  VersionFlags versions;
  ProfileFlags profile;  // of models that are measured; its output is the run
};

void add_flags(CLI::App& app, CompareFlags& flags) {
  app.add_option("OLD", flags.old_side,
                 "the old version: a model, a run file, a folder of run files, or a baseline; "
                 "alone: a run of both versions");
  app.add_option("NEW", flags.new_side, "the new version, given in the same way");
  add_flags(app, flags.versions);
  add_measuring_flags(app, flags.profile);
  const char* const group = "How to measure";
  app.add_option("--run", flags.profile.output.path,
                 "run file to write when measuring models (default compare.jsonl)")
      ->group(group);
  add_on_existing(app, flags.profile, group);
}

// What was typed that only measuring asks for; empty: nothing.
std::string measuring_flag_of(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string& group = option->get_group();
    const bool other = group.empty() || group == "Options" || group == "OPTIONS" ||
                       group == "How to compare" || group == "Output";
    if (!other && option->count() > 0) return option->get_name();
  }
  return "";
}

constexpr char kRunExistsFix[] =
    "name another run file with --run, or add --on-existing resume (or overwrite)";

Error too_few_sides() {
  return {
      ErrorKind::usage, "nothing to compare", "compare",
      "name two models, run files, folders of run files or baselines, or one run of both versions"};
}

int measure_and_compare(CompareFlags& flags, const std::vector<std::string>& arguments,
                        const base::Log& log) {
  ProfileFlags& profile = flags.profile;
  profile.quiet = flags.versions.quiet;
  profile.output.overwrite = flags.versions.output.overwrite;
  if (auto chosen = choose_run_file(profile.output, kMeasuredRun); !chosen) {
    return fail(log, chosen.error());
  }
  if (auto can = check_writable(profile.output, kRunExistsFix); !can && !profile.resume) {
    return fail(log, can.error());
  }
  const auto compared = read_flags(flags.versions, {profile.output.path.string()});
  if (!compared) return fail(log, compared.error());
  const auto options = read_flags(profile, command_line_of("compare", arguments));
  if (!options) return fail(log, options.error());
  Interrupt interrupt(log);
  ProgressPrinter progress(log, base::rewrites_lines(STDERR_FILENO));
  const auto made =
      api::profile(with_interpreter(this_program(interrupt), profile.python), *options, &progress);
  if (!made) return fail(log, made.error());
  if (made->was_interrupted()) {
    warn_of_interruption(*made, profile.output.path, log);
    return kInterrupted;
  }
  if (made->run.visits.empty()) {
    return fail(log, {ErrorKind::failed, "no configuration succeeded", profile.output.path.string(),
                      "read the warnings above"});
  }
  log.info("the run is in " + profile.output.path.string());
  return show_versions({made->run}, *compared, flags.versions, log);
}

int compare_one_run(const Side& side, const CompareFlags& flags, const base::Log& log) {
  if (side.runs.size() != 1) return fail(log, too_few_sides());
  const auto options = read_flags(flags.versions, side.runs);
  if (!options) return fail(log, options.error());
  const auto runs = api::read_runs(side.runs);
  if (!runs) return fail(log, runs.error());
  return show_versions(*runs, *options, flags.versions, log);
}

Result<std::vector<Side>> read_sides(const CompareFlags& flags) {
  std::vector<Side> sides;
  for (const std::string& typed : {flags.old_side, flags.new_side}) {
    if (typed.empty()) continue;
    auto side = api::read_side(typed, baselines_folder(flags.versions.baselines));
    if (!side) return std::move(side).error();
    sides.push_back(*std::move(side));
  }
  return sides;
}

int mixed_sides(const std::vector<Side>& sides, const fs::path& baselines, const base::Log& log) {
  const Side& model = sides.front().is_model() ? sides.front() : sides.back();
  return fail(
      log,
      {ErrorKind::usage,
       "is not a run file, folder or baseline, and a model needs another model to compare",
       model.name,
       meant_baseline(model.name, baselines) + "name two models, or recorded runs on both sides"});
}

std::size_t models_of(const std::vector<Side>& sides) {
  return static_cast<std::size_t>(
      std::count_if(sides.begin(), sides.end(), [](const Side& side) { return side.is_model(); }));
}

// Before those that were named by --model.
void name_models(const std::vector<Side>& sides, std::vector<std::string>& models) {
  std::vector<std::string> named = base::mapped(sides, [](const Side& side) { return side.name; });
  models.insert(models.begin(), named.begin(), named.end());
}

int compare_models(const std::vector<Side>& sides, CompareFlags& flags,
                   const std::vector<std::string>& arguments, const base::Log& log) {
  name_models(sides, flags.profile.models);
  const bool enough = flags.profile.models.size() >= 2 || flags.profile.resume;
  return enough ? measure_and_compare(flags, arguments, log) : fail(log, too_few_sides());
}

int compare_recorded(const std::vector<Side>& sides, const CompareFlags& flags,
                     const std::string& measuring_flag, const base::Log& log) {
  if (!measuring_flag.empty()) {
    return fail(log, {ErrorKind::usage, "says how to measure, but there is nothing to measure",
                      measuring_flag, "remove it, or name models"});
  }
  if (sides.size() == 1) return compare_one_run(sides.front(), flags, log);
  return show_sides(sides.front(), sides.back(), flags.versions, log);
}

}  // namespace

int compare_verb(const std::vector<std::string>& arguments) {
  CompareFlags flags;
  Command command("compare",
                  "Check whether a new version is slower than an old version: models (measured in "
                  "one run) or recorded runs.");
  add_flags(command.app(), flags);
  command.usual({"--margin", "--in-pairs", "--batch-sizes", "--input", "--seq-lens", "--budget",
                 "--output", "--format", "--junit", "--dry-run", "--on-existing"});
  command.examples({"batchscope compare old.pt new.pt --input x:Bx1024 -b 1,8,32 --margin 2%",
                    "batchscope compare old.jsonl new.jsonl --margin 2%"});
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log = make_log(flags.versions.quiet);
  if (flags.versions.output.path == "-") flags.versions.output.path.clear();
  const auto sides = read_sides(flags);
  if (!sides) return fail(log, sides.error());
  const std::size_t models = models_of(*sides);
  if (models == sides->size()) return compare_models(*sides, flags, arguments, log);
  if (models > 0) return mixed_sides(*sides, baselines_folder(flags.versions.baselines), log);
  return compare_recorded(*sides, flags, measuring_flag_of(command.app()), log);
}

}  // namespace batchscope::cli
