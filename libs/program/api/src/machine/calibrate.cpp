#include "batchscope/api/doctor.hpp"
#include "batchscope/engine/description.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "batchscope/host/threads.hpp"
#include "batchscope/measure/fitness_probe.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/measure/sink.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "batchscope/study/job.hpp"
#include "measuring/executors.hpp"

namespace batchscope::api {
namespace {

using base::Result;

Result<measure::Job> make_twin_job(const Program& program, const CalibrationOptions& options) {
  const bool law = options.model.starts_with("synthetic:");
  study::ProfileRequest request;
  auto engine = load_to_inspect(
      program, request.plan,
      law ? std::string(schema::kEngineOfLaws) : engine::own_engines().front().name);
  if (!engine) return std::move(engine).error();
  request.models = {options.model};
  request.axes.batch_sizes = {options.batch_size};
  if (!law) request.axes.seq_lens = {options.seq_len};
  request.axes.threads = {host::default_threads(base::SystemRoot()).threads};
  request.plan.blocks = options.blocks;
  request.plan.blocks_fixed = true;
  if (program.worker.empty()) request.plan.isolation = schema::Isolation::none;
  request.places = program.places;
  request.tool_version = program.version;
  auto job = study::make_job(**engine, this_machine(), request);
  if (!job) return std::move(job).error();
  return study::against_itself(*job);
}

Result<schema::RunFile> measure_twins(const Program& program, const measure::Job& job,
                                      measure::Observer* observer) {
  if (program.before_measuring) program.before_measuring();
  const auto sink = measure::make_null_sink();
  const auto gpus = gpu::open_gpus();
  const auto fitness = measure::make_system_fitness_probe(base::SystemRoot(), gpus.get());
  const auto executor = make_executor(program, job.header.plan, fitness.get());
  measure::Session session(job, {*executor, *sink, observer, program.stop});
  auto end = measure::run(session);
  if (!end) return std::move(end).error();
  if (end->reason == schema::EndReason::interrupted)
    return base::Error{base::ErrorKind::interrupted, "interrupted", "calibration", ""};
  return session.recorded();
}

}  // namespace

Result<study::Calibration> calibrate(const Program& program, const CalibrationOptions& options,
                                     measure::Observer* observer) {
  const auto job = make_twin_job(program, options);
  if (!job) return job.error();
  const auto run = measure_twins(program, *job, observer);
  if (!run) return run.error();
  auto noise = study::machine_noise(*run);
  if (!noise) return std::move(noise).error();
  constexpr uint64_t kSeed = 20'240'101;
  auto limits = study::detection_limits(noise->visit_sd, options.experiments, kSeed);
  if (!limits) return std::move(limits).error();
  return study::Calibration{*std::move(noise), *std::move(limits)};
}

}  // namespace batchscope::api
