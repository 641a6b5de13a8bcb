#include "measured_run.hpp"

#include <fmt/format.h>

#include "batchscope/device/gpu_monitor.hpp"
#include "batchscope/device/threads.hpp"
#include "batchscope/engine/description.hpp"
#include "batchscope/measure/fitness_probe.hpp"
#include "executors.hpp"
#include "interrupt.hpp"
#include "places.hpp"
#include "subject_flags.hpp"

namespace batchscope::cli {
namespace {

using base::Result;

// What several instances are pinned to. Virtual time needs no cores.
device::CpuList cores_for(const LoadedEngines& engines) {
  if (engine::describe(*engines.front(), own_places()).virtual_time) return {};
  return device::default_threads(base::SystemRoot()).cpus;
}

Result<schema::RunFile> measure_while(const RunParts& parts, const Work& work,
                                      const std::stop_token& stop) {
  const auto& recorded = parts.recorded;
  auto opened = parts.output.sink(recorded ? recorded->report.valid_bytes : 0);
  if (!opened) return std::move(opened).error();
  const auto sink = *std::move(opened);
  const auto gpus = device::open_gpu_monitor();
  const auto fitness = measure::make_system_fitness_probe(base::SystemRoot(), gpus.get());
  const auto executor =
      make_executor(parts.job.header.plan, fitness.get(), cores_for(parts.engines));
  const measure::Collaborators with{*executor, *sink, &parts.observer, stop, flag_of, own_places()};
  measure::Session session =
      recorded ? measure::Session(parts.job, *recorded, with) : measure::Session(parts.job, with);
  const auto end = work(session);
  parts.output.keep(session.recorded());
  if (!end) return end.error();
  return session.recorded();
}

}  // namespace

Result<measure::Job> make_new_job(std::string_view verb, const std::vector<std::string>& arguments,
                                  const LoadedEngines& engines, study::ProfileRequest& request) {
  auto& line = request.command_line;
  line = {"batchscope", std::string(verb)};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return study::make_job(engines, this_machine(), request);
}

Result<measure::ResumedRun> take_up(schema::RunFile recorded, const LoadedEngines& engines,
                                    const study::ProfileRequest& request, bool force) {
  auto present = study::inspect_again(engines, this_machine(), recorded, request);
  if (!present) return std::move(present).error();
  return measure::resume(std::move(recorded), *present, force);
}

Result<schema::RunFile> measure_run(const RunParts& parts, const Work& work) {
  const Interrupt interrupt;
  const bool begun = parts.recorded && !parts.recorded->visits.empty();
  const auto tried = begun ? Result<void>() : try_models(parts.job, interrupt.token());
  auto run = tried ? measure_while(parts, work, interrupt.token())
                   : Result<schema::RunFile>(tried.error());
  tidy_up();
  return run;
}

void warn_of_interruption(const schema::RunFile& run, const measure::RunOutput& output,
                          const std::filesystem::path& path, const base::Log& log) {
  const bool measured = !run.visits.empty() || !run.probes.empty();
  if (!output.is_kept()) {
    log.warning("interrupted before anything was measured; no run file is left");
  } else if (measured) {
    log.warning(fmt::format("interrupted; everything measured so far is in {}; go on with --resume",
                            path.string()));
  } else {
    log.warning(fmt::format("interrupted before anything was measured; go on with {} by --resume",
                            path.string()));
  }
}

}  // namespace batchscope::cli
