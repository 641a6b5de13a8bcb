#include "calibration.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "batchscope/base/units.hpp"
#include "batchscope/device/gpu_monitor.hpp"
#include "batchscope/device/threads.hpp"
#include "batchscope/engine/description.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/measure/sink.hpp"
#include "batchscope/pipeline/text_engine.hpp"
#include "batchscope/study/calibrate.hpp"
#include "batchscope/study/job.hpp"
#include "command.hpp"
#include "interrupt.hpp"
#include "measuring/executors.hpp"
#include "measuring/progress.hpp"
#include "output.hpp"
#include "places.hpp"
#include "subject_flags.hpp"

namespace batchscope::cli {
namespace {

using base::Result;

Result<measure::Job> make_twin_job(const CalibrationFlags& flags) {
  const bool law = flags.model.starts_with("synthetic:");
  auto engine = load_engine(law ? "synthetic" : engine::own_engines().front().name);
  if (!engine) return std::move(engine).error();
  study::ProfileRequest request;
  request.models = {flags.model};
  request.axes.batch_sizes = {flags.batch_size};
  if (!law) request.axes.seq_lens = {flags.seq_len};
  request.axes.threads = {device::default_threads(base::SystemRoot()).threads};
  request.plan.blocks = flags.blocks;
  request.plan.blocks_fixed = true;
  request.places = own_places();
  request.tool_version = BATCHSCOPE_VERSION;
  auto job = study::make_job(**engine, this_machine(), request);
  if (!job) return std::move(job).error();
  return study::against_itself(*job);
}

Result<schema::RunFile> measure_twins(const measure::Job& job, const base::Log& log) {
  const Interrupt interrupt;
  const auto sink = measure::make_null_sink();
  const auto gpus = device::open_gpu_monitor();
  const auto fitness = measure::make_system_fitness_probe(base::SystemRoot(), gpus.get());
  const auto executor = make_executor(job.header.plan, fitness.get());
  ProgressPrinter progress(log, stderr_is_terminal());
  measure::Session session(job, {*executor, *sink, &progress, interrupt.token(), flag_of});
  auto end = measure::run(session);
  if (!end) return std::move(end).error();
  if (end->reason == schema::EndReason::interrupted)
    return base::Error{base::ErrorKind::interrupted, "interrupted", "calibration", ""};
  return session.recorded();
}

std::string as_text(const study::MachineNoise& noise, const study::DetectionLimits& limits) {
  const stats::Interval& ci = *noise.difference.ci;
  std::string text = fmt::format(
      "A/A: {} pairs of visits of the same configuration; B / A = {:.4f} [{:.4f}, {:.4f}] (1 in "
      "truth{})\n"
      "noise of one visit: sd {}; the worst visit was {} from its median\n",
      noise.pairs, noise.difference.value, ci.low, ci.high,
      ci.low <= 1 && 1 <= ci.high ? "" : ": MISSED", findings::percent(noise.visit_sd),
      findings::percent(noise.worst_visit));
  text += fmt::format(
      "planted in virtual time at this noise, batch sizes 1,2,3,4,6,8, 12 blocks, {} experiments "
      "each:\n",
      limits.experiments);
  text +=
      fmt::format("  no excess: something claimed in {}\n", findings::percent(limits.false_alarms));
  for (const study::Detection& point : limits.curve) {
    text += fmt::format("  {:>4} slower at one size: found there, and only there, in {}\n",
                        base::format_level(point.excess), findings::percent(point.found));
  }
  if (!limits.smallest)
    return text + "no excess up to 50 % can be shown here: see docs/guide/reducing-variance.md\n";
  return text + fmt::format("smallest excess this machine can show at the default budget: {}\n",
                            base::format_level(*limits.smallest));
}

std::string as_json(const study::MachineNoise& noise, const study::DetectionLimits& limits) {
  nlohmann::json out{{"schema_version", 1},
                     {"pairs", noise.pairs},
                     {"difference",
                      {{"value", noise.difference.value},
                       {"ci_low", noise.difference.ci->low},
                       {"ci_high", noise.difference.ci->high}}},
                     {"visit_sd", noise.visit_sd},
                     {"worst_visit", noise.worst_visit},
                     {"experiments", limits.experiments},
                     {"false_alarms", limits.false_alarms},
                     {"detection", nlohmann::json::array()}};
  for (const study::Detection& point : limits.curve) {
    out["detection"].push_back({{"excess", point.excess}, {"found", point.found}});
  }
  if (limits.smallest) out["smallest_excess"] = *limits.smallest;
  return out.dump(2) + "\n";
}

}  // namespace

void add_flags(CLI::App& app, CalibrationFlags& flags) {
  app.add_option("-m,--model", flags.model, "of --calibrate (default distilbert)");
  app.add_option("-b,--batch-size", flags.batch_size, "of --calibrate (default 1)")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--seq-len", flags.seq_len, "of --calibrate (default 64)")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--blocks", flags.blocks, "of --calibrate (default 12)")
      ->check(CLI::Range(6, 1000));
  app.add_option("--experiments", flags.experiments,
                 "in virtual time, for each excess (default 100)")
      ->check(CLI::Range(10, 100'000));
}

int run_calibration(const CalibrationFlags& flags, Format format, const base::Log& log) {
  const auto job = make_twin_job(flags);
  if (!job) return fail(log, job.error());
  const auto run = measure_twins(*job, log);
  if (!run) return fail(log, run.error());
  const auto noise = study::machine_noise(*run);
  if (!noise) return fail(log, noise.error());
  constexpr uint64_t kSeed = 20'240'101;
  const auto limits = study::detection_limits(noise->visit_sd, flags.experiments, kSeed);
  if (!limits) return fail(log, limits.error());
  const auto written = write_output(
      {}, format == Format::json ? as_json(*noise, *limits) : as_text(*noise, *limits));
  return written ? static_cast<int>(kDone) : fail(log, written.error());
}

}  // namespace batchscope::cli
