#include "tune_flags.hpp"

#include <fmt/format.h>

#include <algorithm>

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

void add_group(CLI::App& app, std::string_view heading, TuneFlags& flags) {
  add_settings(app, schema::table_of<schema::MeasurementPlan>(), &schema::Setting::tune, heading,
               flags.profile.settings);
}

void add_goal(CLI::App& app, TuneFlags& flags) {
  const std::string group(schema::kBest);
  app.add_option("--objective", flags.objective,
                 "throughput: most samples per second; latency: the fastest batch; cost: the "
                 "cheapest sample")
      ->check(CLI::IsMember({"throughput", "latency", "cost"}))
      ->group(group);
  app.add_option("--latency-quantile", flags.latency_quantile,
                 "statistic of the latency that the budget bounds (default p50)")
      ->check(CLI::IsMember({"mean", "p50", "p90", "p99"}))
      ->group(group);
  app.add_option("--max-batch-size", flags.max_batch_size, "largest batch size to try")
      ->check(CLI::Range(int64_t{1}, schema::kLargestSize))
      ->group(group);
  app.add_option("--price-per-hour", flags.price_per_hour,
                 "price of the machine per hour, for the cost of a sample")
      ->group(group);
  app.add_option("--practical", flags.practical,
                 "smallest gain over the default that is worth a change (default 1%)")
      ->group(group);
  add_group(app, group, flags);
}

void add_search(CLI::App& app, TuneFlags& flags) {
  const std::string group(schema::kHowToSearch);
  app.add_option("--points", flags.points,
                 "most points to measure (default: a fifth of the grid, at least 8; a "
                 "tenth from 150)")
      ->check(CLI::Range(1, 100'000))
      ->group(group);
  app.add_option("--verify-blocks", flags.verify_blocks,
                 "fresh visits of the pick, the runner-up and the default (default 12; 0: none)")
      ->check(CLI::Range(0, 1000))
      ->group(group);
  app.add_flag("--noise-scale", flags.noise_scale,
               "with --mode train: measure the gradient noise scale of the pick too, which says "
               "where larger batches stop helping")
      ->group(group);
  app.add_flag("--dry-run", flags.dry_run,
               "print the grid, how many points are measured and the budget; measure and write "
               "nothing")
      ->group(group);
  app.add_flag("--explain", flags.explain, "say for every visit why it is made")->group(group);
  app.add_option("--seed", flags.profile.seed, "seed of orders, weights, inputs and --noise")
      ->check(CLI::NonNegativeNumber)
      ->group(group);
  add_group(app, group, flags);
  add_wait_for_quiet(app, flags.profile)->group(group);
  app.add_option("--replay", flags.replay,
                 "measure nothing: search this table (CSV as for `import`, or a run file)")
      ->group(group);
  app.add_option("--noise", flags.noise,
                 "scatter of one visit, with --replay, such as 3% (default 0)")
      ->group(group);
}

void add_max_batch(CLI::App& app, TuneFlags& flags) {
  const char* const group = "The largest batch";
  app.add_flag("--max-batch-only", flags.max_batch_only,
               "find the largest batch size that fits into memory, and one that fits safely; "
               "nothing is timed")
      ->group(group);
  app.add_option("--margin", flags.margin,
                 "share of the memory limit that the safe size leaves free (default 5%)")
      ->group(group);
  app.add_option("--soak-time", flags.soak_time,
                 "shortest time for which the safe size has to run (default 30s)")
      ->group(group);
  app.add_option("--ceilings", flags.ceilings,
                 "file of the sizes that ran out of memory in any run, which are never tried again "
                 "(default: ~/.local/state/batchscope/ceilings.jsonl)")
      ->group(group);
  app.add_flag("--forget-ceilings", flags.forget_ceilings,
               "forget the recorded ceilings of what is searched here")
      ->group(group);
}

void add_tune_output(CLI::App& app, TuneFlags& flags) {
  const char* const group = "Output";
  app.add_option("-o,--output", flags.profile.output.path,
                 "the run file (default tune.jsonl; with --max-batch-only max-batch.jsonl)")
      ->group(group);
  app.add_flag("--overwrite", flags.profile.output.overwrite, "replace the run file if it exists")
      ->group(group);
  app.add_flag("--resume", flags.profile.resume, "continue an interrupted run in its file")
      ->group(group);
  app.add_flag("--force", flags.profile.force,
               "resume even on another machine or model; the run file says so")
      ->group(group);
  add_format(app, flags.profile.format, {Format::text, Format::json}, "format of what is printed")
      ->group(group);
  app.add_flag("--brief", flags.profile.brief, "print the answer alone (text)")->group(group);
  app.add_option("--export", flags.exports,
                 "export the pick for a server: yaml, env, triton or tei; "
                 "triton=config.pbtxt writes a file, otherwise standard output has only the export")
      ->group(group);
  app.add_flag("-q,--quiet", flags.profile.quiet, "print no progress")->group(group);
}

// The search for the largest batch times nothing, picks nothing, and tries what fits; a replay
// measures nothing, and searches the table as it is.
void tie_ways(CLI::App& app) {
  CLI::Option* const largest = app.get_option("--max-batch-only");
  for (const char* const useless :
       {"--replay", "--objective", "--price-per-hour", "--practical", "--points", "--export",
        "--batch-sizes", "--instances", "--effective-batch", "--pipeline", "--dry-run",
        "--noise-scale"}) {
    largest->excludes(useless);
  }
  for (const char* const only : {"--margin", "--soak-time"}) app.get_option(only)->needs(largest);
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
  app.get_option("--latency-quantile")->needs("--latency-budget");
}

}  // namespace

// Axes are those of `profile`, with more of them by default.
void add_tune_flags(CLI::App& app, TuneFlags& flags) {
  add_axes(app, flags.profile);
  app.get_option("--batch-sizes")
      ->description(fmt::format("1,2,4 or 1-8 or 1-64+8 or 1-128*2 (default {})",
                                fmt::join(api::default_tune_sizes(), ",")));
  app.get_option("--instances")
      ->description(
          "copies that run at once, each pinned to cores of its own, as --batch-sizes (default: 1, "
          "2, 4 and so on as long as each has a core; on an accelerator, and in training, 1)");
  add_pipeline(app, flags.profile.text);
  add_goal(app, flags);
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
      return Error{ErrorKind::usage, "two exports go to the same place", "--export",
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
