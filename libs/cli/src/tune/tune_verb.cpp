#include <algorithm>
#include <utility>
#include <vector>

#include "batchscope/api/tune_results.hpp"
#include "command.hpp"
#include "output.hpp"
#include "places.hpp"
#include "tune_modes.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using schema::AxisId;

// What is searched is what the table holds.
base::Result<void> check_replay(const TuneFlags& flags) {
  const ProfileFlags& typed = flags.profile;
  if (!typed.models.empty() || typed.resume) {
    return Error{ErrorKind::usage, "a replay measures nothing", "--replay",
                 "leave --model and --resume out"};
  }
  const auto is_typed = [&](AxisId id) { return !typed.axes[id].empty(); };
  std::vector<std::pair<bool, std::string>> axes{
      {is_typed(AxisId::batch_size), "--batch-sizes"},
      {is_typed(AxisId::seq_len), "--seq-lens"},
      {is_typed(AxisId::precision), "--precision"},
      {is_typed(AxisId::threads), "--threads"},
      {is_typed(AxisId::instances), "--instances"},
      {is_typed(AxisId::device), "--device"},
      {is_typed(AxisId::mode), "--mode"},
      {is_typed(AxisId::checkpointing), "--checkpointing"},
      {is_typed(AxisId::accumulation) || typed.effective_batch > 0, "--accumulation"},
      {is_typed(AxisId::environment), "--env"},
      {!typed.budget.empty(), "--budget"}};
  for (const schema::Axis& axis : schema::axes()) {
    if (axis.plain) axes.emplace_back(is_typed(axis.id), schema::flag_named(axis.name));
  }
  for (const auto& [typed_here, flag] : axes) {
    if (!typed_here) continue;
    return Error{ErrorKind::usage, "a replay searches the table as it is", flag,
                 "leave it out, or remove the other rows from the table"};
  }
  return {};
}

base::Result<void> check_contradictions(const TuneFlags& flags) {
  if (auto agree = check_max_batch_flags(flags); !agree) return agree;
  if (auto can = check_noise_scale(flags); !can) return can;
  const bool replays = !flags.replay.empty();
  if (replays) {
    if (auto can = check_replay(flags); !can) return can;
  }
  if (!replays && !flags.noise.empty()) {
    return Error{ErrorKind::usage, "noise can only be added to a replay", "--noise",
                 "use it with --replay"};
  }
  if (flags.dry_run && (replays || flags.max_batch_only)) {
    return Error{
        ErrorKind::usage,
        replays ? "a replay measures nothing" : "which sizes are tried depends on what fits",
        "--dry-run", "leave it out"};
  }
  if (flags.latency_quantile != to_string(schema::LatencyStatistic::p50) &&
      flags.profile.latency_budget.empty()) {
    return Error{ErrorKind::usage, "has no effect without a latency budget", "--latency-quantile",
                 "add --latency-budget 200ms"};
  }
  return {};
}

int write_exports(const findings::Tuning& tuning, const std::vector<schema::ModelInfo>& models,
                  const TuneFlags& flags, const std::vector<ExportTarget>& targets,
                  const base::Log& log) {
  if (tuning.withdrawn && !targets.empty()) {
    return fail(log, {ErrorKind::failed, "a withdrawn recommendation is not exported", "--export",
                      "tune again with a larger --budget, or write the deployment by hand"});
  }
  for (const ExportTarget& target : targets) {
    const auto can = tune::check_export(target.format, tuning.points[*tuning.pick].config);
    if (!can) return fail(log, can.error());
    const Output output{target.path, flags.profile.output.overwrite};
    const std::string text =
        tune::export_text(target.format, api::deployment_of(this_program(), tuning, models));
    if (auto written = write_output(output, text); !written) return fail(log, written.error());
  }
  return kDone;
}

}  // namespace

int print_result(const findings::Tuning& tuning, const std::vector<schema::ModelInfo>& models,
                 const TuneFlags& flags, const base::Log& log) {
  for (const std::string& warning : tuning.warnings) log.warning(warning);
  const auto targets = read_exports(flags);
  if (!targets) return fail(log, targets.error());
  const Format format = flags.profile.format;
  const report::TextStyle style = text_options({}, flags.profile.brief);
  const auto on_stdout = [](const ExportTarget& target) { return target.path.empty(); };
  if (tuning.feasible && std::any_of(targets->begin(), targets->end(), on_stdout)) {
    log.info(api::tune_text(tuning, {.extent = style.extent}));
  } else {
    const std::string text =
        format == Format::json ? findings::to_json(tuning) + "\n" : api::tune_text(tuning, style);
    if (auto written = write_output({}, text, look_of(format)); !written) {
      return fail(log, written.error());
    }
  }
  if (tuning.feasible) return write_exports(tuning, models, flags, *targets, log);
  if (!targets->empty()) log.warning("nothing was exported");
  const bool bounded = tuning.latency_budget_ms || tuning.memory_limit_bytes;
  return fail(
      log,
      {ErrorKind::failed,
       bounded ? "no setting that was measured keeps the bounds" : tuning.message, "",
       bounded ? "relax the bound that was reached, or add smaller batch sizes and other settings"
               : "fix what made the visits fail, or choose other settings"});
}

int tune_verb(const std::vector<std::string>& arguments) {
  TuneFlags flags;
  Command command(
      "tune",
      "Find the engine, batch size, threads, instances and precision to use by measuring only a "
      "few combinations, and compare the pick with the default in fresh processes.");
  add_tune_flags(command.app(), flags);
  command.usual({"--model", "--batch-sizes", "--output", "--input", "--objective",
                 "--latency-budget", "--memory-limit", "--budget", "--export", "--wait-for-quiet",
                 "--dry-run", "--resume"});
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log = make_log(flags.profile.quiet);
  if (auto agree = check_contradictions(flags); !agree) return fail(log, agree.error());
  if (auto exports = read_exports(flags); !exports) return fail(log, exports.error());
  if (flags.max_batch_only) return tune_max_batch(std::move(flags), arguments, log);
  if (!flags.replay.empty()) return tune_by_replay(flags, log);
  return tune_by_measuring(std::move(flags), arguments, log);
}

}  // namespace batchscope::cli
