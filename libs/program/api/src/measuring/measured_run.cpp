#include "measured_run.hpp"

#include <chrono>
#include <set>
#include <utility>

#include "batchscope/base/waitable_clock.hpp"
#include "batchscope/engine/description.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "batchscope/host/fitness.hpp"
#include "batchscope/host/threads.hpp"
#include "batchscope/measure/fitness_probe.hpp"
#include "batchscope/measure/quiet.hpp"
#include "executors.hpp"
#include "resuming.hpp"

namespace batchscope::api {
namespace {

using base::Result;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool in_virtual_time(const LoadedEngines& engines, const Program& program) {
  return engine::describe(*engines.front(), program.places).virtual_time;
}

// What several instances are pinned to. Virtual time needs no cores.
host::CpuList cores_for(const LoadedEngines& engines, const Program& program) {
  if (in_virtual_time(engines, program)) return {};
  return host::default_threads(base::SystemRoot()).cpus;
}

template <class T>
Result<void> run_step(const std::function<Result<void>(T&)>& step, T& with) {
  return step ? step(with) : Result<void>();
}

study::ProfileRequest complete(const MeasureOptions& options, const Program& program) {
  study::ProfileRequest request = options.request;
  request.places = program.places;
  request.tool_version = program.version;
  request.inputs_of = inputs_finder(program);
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

// The other processes on the GPUs that the run uses.
void add_gpus(const gpu::Gpus& gpus, const std::vector<schema::RunConfig>& configs,
              schema::Fitness& fitness) {
  if (!gpus.available()) return;
  std::set<int> used;
  for (const schema::RunConfig& config : configs) {
    if (const auto index = gpu::gpu_index(gpus, config.device)) used.insert(*index);
  }
  for (const int index : used) {
    schema::Fitness one;
    host::add_gpu_fitness(one, gpus.read(index), 0);
    if (!one.other_gpu_processes) continue;
    fitness.other_gpu_processes =
        std::max(fitness.other_gpu_processes.value_or(0), *one.other_gpu_processes);
  }
}

// What disturbs the machine before anything is measured; nothing where it is quiet, or where time
// is virtual.
std::vector<schema::Event> look_at_machine(const Program& program, const Setup& setup,
                                           measure::Observer* observer) {
  if (in_virtual_time(setup.engines, program)) return {};
  const host::FitnessSampler sampler{base::SystemRoot()};
  const auto gpus = gpu::open_gpus();
  const measure::IdleCheck with{
      .take = [&] { return sampler.take(); },
      .pause =
          [&](double seconds) {
            return base::pause(program.stop, std::chrono::duration<double>(seconds));
          },
      .add_gpus = [&](schema::Fitness& fitness) { add_gpus(*gpus, setup.job.configs, fitness); }};
  auto event = measure::event_of(measure::look_at_machine(with, setup.wait_for_quiet_s, observer));
  return event ? std::vector{*std::move(event)} : std::vector<schema::Event>();
}

Result<schema::RunFile> measure_while(const Program& program, const Setup& setup,
                                      measure::RunOutput& output, measure::Observer* observer,
                                      std::vector<schema::Event> noticed, double trial_s,
                                      const Work& work) {
  auto sink = output.sink(setup.recorded ? setup.recorded->report.valid_bytes : 0);
  if (!sink) return std::move(sink).error();
  const bool virtual_time = in_virtual_time(setup.engines, program);
  SessionExtras extras{observer, std::move(noticed), output.trace_folder(),
                       virtual_time ? 0 : setup.took_s + trial_s};
  const auto kept = [&](measure::Session& session) {
    const auto end = work(session);
    output.keep(session.recorded());
    return end ? Result<void>() : end.error();
  };
  return measure_into(**sink, program, setup, std::move(extras), kept);
}

}  // namespace

Result<schema::RunFile> measure_into(measure::RunSink& sink, const Program& program,
                                     const Setup& setup, SessionExtras extras,
                                     const std::function<Result<void>(measure::Session&)>& work) {
  const auto gpus = gpu::open_gpus();
  const auto fitness = measure::make_system_fitness_probe(base::SystemRoot(), gpus.get());
  const auto executor = make_executor(program, setup.job.header.plan, fitness.get(),
                                      cores_for(setup.engines, program));
  const measure::Collaborators with{*executor,
                                    sink,
                                    extras.observer,
                                    program.stop,
                                    program.places,
                                    std::move(extras.noticed),
                                    std::move(extras.trace_folder),
                                    extras.prepared_s};
  const auto& recorded = setup.recorded;
  measure::Session session =
      recorded ? measure::Session(setup.job, *recorded, with) : measure::Session(setup.job, with);
  if (auto worked = work(session); !worked) return worked.error();
  return session.recorded();
}

Result<Setup> set_up(const Program& program, const MeasureOptions& options, const OwnSteps& steps) {
  const auto start = std::chrono::steady_clock::now();
  auto recorded = read_recorded(options);
  if (!recorded) return std::move(recorded).error();
  if (*recorded) {
    if (auto own = run_step(steps.accept, std::as_const(**recorded)); !own) return own.error();
  }
  Setup setup;
  setup.wait_for_quiet_s = options.wait_for_quiet_s;
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
  setup.took_s = seconds_since(start);
  return setup;
}

Result<schema::RunFile> measure_run(const Program& program, const Setup& setup,
                                    measure::RunOutput& output, measure::Observer* observer,
                                    const Work& work) {
  if (program.before_measuring) program.before_measuring();
  std::vector<schema::Event> noticed = look_at_machine(program, setup, observer);
  const auto start = std::chrono::steady_clock::now();
  const bool begun = setup.recorded && !setup.recorded->visits.empty();
  const auto tried = begun ? Result<void>() : try_models(program, setup.job);
  auto run = tried ? measure_while(program, setup, output, observer, std::move(noticed),
                                   seconds_since(start), work)
                   : Result<schema::RunFile>(tried.error());
  tidy_up();
  return run;
}

}  // namespace batchscope::api
