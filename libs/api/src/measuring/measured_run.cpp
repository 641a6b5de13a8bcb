#include "measured_run.hpp"

#include <utility>

#include "batchscope/device/gpu_monitor.hpp"
#include "batchscope/device/threads.hpp"
#include "batchscope/engine/description.hpp"
#include "batchscope/measure/fitness_probe.hpp"
#include "executors.hpp"
#include "resuming.hpp"

namespace batchscope::api {
namespace {

using base::Result;

// What several instances are pinned to. Virtual time needs no cores.
device::CpuList cores_for(const LoadedEngines& engines, const Program& program) {
  if (engine::describe(*engines.front(), program.places).virtual_time) return {};
  return device::default_threads(base::SystemRoot()).cpus;
}

template <class T>
Result<void> run_step(const std::function<Result<void>(T&)>& step, T& with) {
  return step ? step(with) : Result<void>();
}

study::ProfileRequest complete(const MeasureOptions& options, const Program& program) {
  study::ProfileRequest request = options.request;
  request.places = program.places;
  request.tool_version = program.version;
  return request;
}

Result<void> take_up(Setup& setup, schema::RunFile recorded, const study::ProfileRequest& request,
                     bool force) {
  const auto present = study::inspect_again(setup.engines, this_machine(), recorded, request);
  if (!present) return present.error();
  auto resumed = measure::resume(std::move(recorded), *present, force);
  if (!resumed) return std::move(resumed).error();
  setup.job = std::move(resumed->job);
  setup.recorded = std::move(resumed->recorded);
  return {};
}

Result<void> begin(Setup& setup, const study::ProfileRequest& request, const OwnSteps& steps) {
  auto job = study::make_job(setup.engines, this_machine(), request);
  if (!job) return std::move(job).error();
  setup.job = *std::move(job);
  return run_step(steps.begin, setup.job);
}

Result<schema::RunFile> measure_while(const Program& program, const Setup& setup,
                                      measure::RunOutput& output, measure::Observer* observer,
                                      const Work& work) {
  const auto& recorded = setup.recorded;
  auto opened = output.sink(recorded ? recorded->report.valid_bytes : 0);
  if (!opened) return std::move(opened).error();
  const auto sink = *std::move(opened);
  const auto gpus = device::open_gpu_monitor();
  const auto fitness = measure::make_system_fitness_probe(base::SystemRoot(), gpus.get());
  const auto executor = make_executor(program, setup.job.header.plan, fitness.get(),
                                      cores_for(setup.engines, program));
  const measure::Collaborators with{*executor,        *sink,         observer, program.stop,
                                    program.spelling, program.places};
  measure::Session session =
      recorded ? measure::Session(setup.job, *recorded, with) : measure::Session(setup.job, with);
  const auto end = work(session);
  output.keep(session.recorded());
  if (!end) return end.error();
  return session.recorded();
}

}  // namespace

Result<Setup> set_up(const Program& program, const MeasureOptions& options, const OwnSteps& steps) {
  auto recorded = read_recorded(options);
  if (!recorded) return std::move(recorded).error();
  if (*recorded) {
    if (auto own = run_step(steps.accept, std::as_const(**recorded)); !own) return own.error();
  }
  Setup setup;
  auto engines = load_engines(program, options, *recorded);
  if (!engines) return std::move(engines).error();
  setup.engines = *std::move(engines);
  const study::ProfileRequest request = complete(options, program);
  Result<void> done;
  if (!*recorded) {
    done = begin(setup, request, steps);
  } else {
    done = run_step(steps.go_on, **recorded);
    if (done) done = take_up(setup, **std::move(recorded), request, options.file.force);
  }
  if (!done) return done.error();
  return setup;
}

Result<schema::RunFile> measure_run(const Program& program, const Setup& setup,
                                    measure::RunOutput& output, measure::Observer* observer,
                                    const Work& work) {
  if (program.before_measuring) program.before_measuring();
  const bool begun = setup.recorded && !setup.recorded->visits.empty();
  const auto tried = begun ? Result<void>() : try_models(program, setup.job);
  auto run = tried ? measure_while(program, setup, output, observer, work)
                   : Result<schema::RunFile>(tried.error());
  tidy_up();
  return run;
}

}  // namespace batchscope::api
