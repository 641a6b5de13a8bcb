#include <algorithm>
#include <utility>
#include <vector>

#include "batchscope/report/json.hpp"
#include "batchscope/report/tune.hpp"
#include "command.hpp"
#include "install_paths.hpp"
#include "output.hpp"
#include "tune_modes.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using schema::AxisId;

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
  const document::TextStyle style = text_options({}, flags.profile.brief);
  const auto on_stdout = [](const ExportTarget& target) { return target.path.empty(); };
  if (tuning.feasible && std::any_of(targets->begin(), targets->end(), on_stdout)) {
    log.info(report::tune_text(tuning, {.extent = style.extent}));
  } else {
    const std::string text =
        format == Format::json ? report::to_json(tuning) + "\n" : report::tune_text(tuning, style);
    if (auto written = write_output({}, text, look_of(format)); !written) {
      return fail(log, written.error());
    }
  }
  if (tuning.feasible) return write_exports(tuning, models, flags, *targets, log);
  if (!targets->empty()) log.warning("no export written");
  const bool bounded = tuning.latency_budget_ms || tuning.memory_limit_bytes;
  return fail(log, {ErrorKind::failed,
                    bounded ? "no measured setting meets the bounds" : tuning.message, "",
                    bounded ? "relax the bound, or add smaller batch sizes and other settings"
                            : "fix the cause of the failures, or choose other settings"});
}

int tune_verb(const std::vector<std::string>& arguments) {
  TuneFlags flags;
  Command command(
      "tune",
      "Find the engine, batch size, threads, instances and precision to use by measuring only a "
      "few combinations, and compare the pick with the default in fresh processes.");
  add_tune_flags(command.app(), flags);
  command.usual({"--model", "--batch-sizes", "--output", "--input", "--objective",
                 "--latency-budget", "--memory-limit", "--budget", "--max-batch-only", "--export",
                 "--replay", "--dry-run", "--on-existing"});
  command.examples({"batchscope tune -m distilbert --seq-lens 64 --budget 5m",
                    "batchscope tune -m model.pt --latency-budget 50ms --export yaml"});
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log = make_log(flags.profile.quiet);
  if (auto can = check_noise_scale(flags); !can) return fail(log, can.error());
  if (auto exports = read_exports(flags); !exports) return fail(log, exports.error());
  if (flags.max_batch_only) return tune_max_batch(std::move(flags), arguments, log);
  if (!flags.replay.empty()) return tune_by_replay(flags, log);
  return tune_by_measuring(std::move(flags), arguments, log);
}

}  // namespace batchscope::cli
