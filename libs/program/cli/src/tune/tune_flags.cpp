#include "tune_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/schema/axes.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "batchscope/schema/tables.hpp"
#include "measuring/axis_flags.hpp"
#include "output.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// The tables of settings.
const std::array<const schema::Table*, 3>& tables() {
  static const std::array kTables = {&schema::table_of<schema::TuneSettings>(),
                                     &schema::table_of<schema::MaxBatchSettings>(),
                                     &schema::table_of<schema::MeasurementPlan>()};
  return kTables;
}

void add_group(CLI::App& app, std::string_view heading, TuneFlags& flags) {
  for (const schema::Table* table : tables()) {
    add_settings(app, *table, &schema::Setting::tune, heading, flags.profile.settings);
  }
}

void add_search(CLI::App& app, TuneFlags& flags) {
  const std::string group(schema::kHowToSearch);
  add_group(app, group, flags);
  app.add_flag("--noise-scale", flags.noise_scale,
               "with --mode train: also measure the gradient noise scale of the pick (where larger "
               "batches stop helping)")
      ->group(group);
  app.add_flag("--dry-run", flags.dry_run,
               "print the plan only (grid, number of points, budget); measure and write nothing")
      ->group(group);
  app.add_flag("--explain", flags.explain, "print the reason for every visit")->group(group);
  app.add_option("--seed", flags.profile.seed, "seed of orders, weights, inputs and --noise")
      ->check(CLI::NonNegativeNumber)
      ->group(group);
  add_wait_for_quiet(app, flags.profile)->group(group);
  app.add_option("--replay", flags.replay,
                 "search this table instead of measuring: CSV as for `import`, or a run file")
      ->group(group);
  app.add_option("--noise", flags.noise, "noise of one visit with --replay, such as 3% (default 0)")
      ->group(group);
}

void add_max_batch(CLI::App& app, TuneFlags& flags) {
  const std::string group(schema::kLargestBatch);
  app.add_flag("--max-batch-only", flags.max_batch_only,
               "find the largest batch size that fits into memory, and a safe one; no timing")
      ->group(group);
  add_group(app, group, flags);
  app.add_option("--ceilings", flags.ceilings,
                 "file of sizes that ran out of memory before and are not tried again (default: "
                 "~/.local/state/batchscope/ceilings.jsonl)")
      ->group(group);
  app.add_flag("--forget-ceilings", flags.forget_ceilings,
               "forget the recorded sizes that ran out of memory in this search")
      ->group(group);
}

void add_tune_output(CLI::App& app, TuneFlags& flags) {
  const char* const group = "Output";
  app.add_option("-o,--output", flags.profile.output.path,
                 "the run file (default tune.jsonl); with --max-batch-only max-batch.jsonl")
      ->group(group);
  add_on_existing(app, flags.profile, group);
  app.add_flag("--force", flags.profile.force,
               "resume even on another machine or model (noted in the run file)")
      ->group(group);
  add_format(app, flags.profile.format, {Format::text, Format::json}, "output format")
      ->group(group);
  app.add_flag("--brief", flags.profile.brief, "print only the answer (text)")->group(group);
  app.add_option("--export", flags.exports,
                 "export the pick for a server; "
                 "triton=config.pbtxt writes a file, otherwise standard output has only the export")
      ->group(group);
  app.add_flag("-q,--quiet", flags.profile.quiet, "print no progress")->group(group);
}

// The search for the largest batch times nothing, picks nothing, and tries what fits; a replay
// measures nothing, and searches the table as it is.
void tie_ways(CLI::App& app) {
  CLI::Option* const largest = app.get_option("--max-batch-only");
  for (const char* const useless :
       {"--replay", "--export", "--batch-sizes", "--instances", "--effective-batch", "--pipeline",
        "--dry-run", "--noise-scale"}) {
    largest->excludes(useless);
  }
  CLI::Option* const replay = app.get_option("--replay");
  for (const char* const useless :
       {"--model", "--resume", "--batch-sizes", "--seq-lens", "--precision", "--threads",
        "--instances", "--device", "--mode", "--checkpointing", "--accumulation",
        "--effective-batch", "--env", "--dry-run", "--noise-scale"}) {
    replay->excludes(useless);
  }
  for (const schema::Axis& axis : schema::axes()) {
    if (axis.plain) replay->excludes(schema::flag_named(axis.name));
  }
  app.get_option("--noise")->needs(replay);
  for (const schema::Table* table : tables()) tie_settings(app, *table);
}

}  // namespace

// Axes are those of `profile`, with more of them by default.
void add_tune_flags(CLI::App& app, TuneFlags& flags) {
  add_axes(app, flags.profile);
  app.get_option("--batch-sizes")
      ->description(fmt::format("1,2,4 or 1-8 or 1-64+8 or 1-128*2; default {}",
                                fmt::join(api::default_tune_sizes(), ",")));
  app.get_option("--instances")
      ->description(
          "copies at once, each pinned to its own cores; as --batch-sizes (default: 1, 2, 4 and so "
          "on "
          "as long as each has a core; on an accelerator, and in training, 1)");
  add_pipeline(app, flags.profile.text);
  add_group(app, schema::kBest, flags);
  add_search(app, flags);
  add_max_batch(app, flags);
  add_tune_output(app, flags);
  tie_flags(app);
  tie_ways(app);
}

Result<std::vector<ExportTarget>> read_exports(const TuneFlags& flags) {
  std::vector<ExportTarget> targets;
  for (const std::string& text : flags.exports) {
    const std::size_t equals = text.find('=');
    auto format = tune::parse_export_format(text.substr(0, equals));
    if (!format) return std::move(format).error();
    // What a resumed or replayed run does is checked when it is known.
    const auto& modes = flags.profile.axes[schema::AxisId::mode];
    const bool trains = std::find(modes.begin(), modes.end(), "train") != modes.end();
    schema::RunConfig unknown;
    unknown.engine = schema::kEngineNotStated;
    unknown.mode = trains ? schema::Mode::train : schema::Mode::infer;
    if (auto can = tune::check_export(*format, unknown); !can) return can.error();
    ExportTarget target{*format, {}};
    if (equals != std::string::npos) target.path = text.substr(equals + 1);
    const bool another = std::any_of(targets.begin(), targets.end(),
                                     [&](const auto& each) { return each.path == target.path; });
    if (another) {
      return Error{ErrorKind::usage, "two exports write to the same place", "--export",
                   "name a file for each: triton=config.pbtxt"};
    }
    if (target.path.empty() && flags.profile.format == Format::json) {
      return Error{ErrorKind::usage, "both write to standard output", "--export, --format json",
                   "name a file: triton=config.pbtxt"};
    }
    if (!target.path.empty()) {
      auto writable = check_writable({target.path, flags.profile.output.overwrite});
      if (!writable) return writable.error();
    }
    targets.push_back(std::move(target));
  }
  return targets;
}

}  // namespace batchscope::cli
