#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/analyze/gates.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/device/gpu_monitor.hpp"
#include "batchscope/device/threads.hpp"
#include "batchscope/engine/model_store.hpp"
#include "batchscope/engine/plugin.hpp"
#include "batchscope/measure/fitness_probe.hpp"
#include "batchscope/measure/resume.hpp"
#include "batchscope/study/check_pipelines.hpp"
#include "command.hpp"
#include "executors.hpp"
#include "interrupt.hpp"
#include "profile_flags.hpp"
#include "profile_results.hpp"
#include "progress.hpp"
#include "resume_flags.hpp"
#include "run_file.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr std::string_view kDefaultOutput = "batch_profile.jsonl";

int list_models(const ProfileFlags& flags, const base::Log& log) {
  auto engine = engine::load_engine(engines_of(flags).front());
  if (!engine) return fail(log, engine.error());
  std::string text;
  for (const engine::ModelDescription& model : (*engine)->models()) {
    const std::string length =
        model.default_seq_len ? fmt::format(", {} tokens by default", *model.default_seq_len) : "";
    text += fmt::format("{:<16} {:>11} parameters  {}{}\n", model.name, model.parameters,
                        model.summary, length);
  }
  for (const engine::StoredModel& model : engine::stored_models()) {
    text += fmt::format("{:<16} {:>11} parameters  {}, in {}\n", model.name, model.parameters,
                        model.summary, model.folder.string());
  }
  text +=
      "and any TorchScript (.pt) or AOTInductor (.pt2) file, with its --input, and any ONNX "
      "(.onnx) or OpenVINO (.xml) file\n";
  const auto written = write_output({}, text);
  return written ? static_cast<int>(kDone) : fail(log, written.error());
}

// What one run of `profile` works with; built up step by step, each of which can fail.
struct Setup {
  study::ProfileRequest request;
  study::FollowUps follow_ups;
  std::vector<std::unique_ptr<engine::Engine>> engines;  // at least one
  measure::Job job;
  std::optional<schema::RunFile> recorded;  // when resuming
  bool complete = false;                    // nothing is left of the resumed run
};

Result<void> set_up_new(Setup& setup, const schema::Machine& machine,
                        const std::vector<std::string>& arguments) {
  setup.request.command_line = {"batchscope", "profile"};
  auto& line = setup.request.command_line;
  line.insert(line.end(), arguments.begin(), arguments.end());
  auto job = study::make_job(setup.engines, machine, setup.request);
  if (!job) return std::move(job).error();
  setup.job = *std::move(job);
  return {};
}

// The plan, axes and seed of a resumed run come from its file; what the models are now is held
// against it.
Result<void> set_up_resumed(Setup& setup, const schema::Machine& machine, const ProfileFlags& flags,
                            schema::RunFile recorded) {
  auto agrees = check_agrees(flags, setup.request, recorded.header);
  if (!agrees) return agrees;
  const std::string reason = recorded.end ? recorded.end->reason : "";
  schema::Plan& plan = recorded.header.plan;
  if (!plan.diagnose) study::copy_diagnosis(setup.request.plan, plan);
  setup.follow_ups = study::follow_ups_of(plan);
  setup.complete = reason == "blocks-done" || reason == "precision-reached";
  auto present = study::inspect_again(setup.engines, machine, recorded, setup.request);
  if (!present) return std::move(present).error();
  auto resumed = measure::resume(std::move(recorded), *present, flags.force);
  if (!resumed) return std::move(resumed).error();
  setup.job = std::move(resumed->job);
  setup.recorded = std::move(resumed->recorded);
  return study::check_pipelines(setup.job);
}

Result<Setup> set_up(const ProfileFlags& flags, const std::vector<std::string>& arguments) {
  auto request = read_flags(flags);
  if (!request) return std::move(request).error();
  auto recorded = read_recorded(flags);
  if (!recorded) return std::move(recorded).error();
  if (*recorded && (*recorded)->header.origin == "import") {
    return Error{ErrorKind::usage, "these numbers were imported, not measured",
                 flags.output.path.string(), "resume only what `profile` wrote"};
  }
  if (*recorded && (*recorded)->header.origin == "api") {
    return Error{ErrorKind::usage, "a program measured a function of its own here",
                 flags.output.path.string(), "run that program again, or name another file"};
  }
  if (*recorded && (*recorded)->header.origin == "max-batch") {
    return Error{ErrorKind::usage, "`tune --max-batch-only` wrote this run and knows how to go on",
                 flags.output.path.string(), "use batchscope tune --max-batch-only --resume"};
  }
  if (*recorded && (*recorded)->header.origin == "tune") {
    return Error{ErrorKind::usage, "`tune` wrote this run and knows how to go on",
                 flags.output.path.string(), "use batchscope tune --resume"};
  }
  const study::FollowUps follow_ups = study::follow_ups_of(request->plan);
  Setup setup{*std::move(request), follow_ups, {}, {}, {}, false};
  auto engines = load_engines(flags, *recorded);
  if (!engines) return std::move(engines).error();
  setup.engines = *std::move(engines);
  const schema::Machine machine = this_machine();
  auto done = *recorded ? set_up_resumed(setup, machine, flags, **std::move(recorded))
                        : set_up_new(setup, machine, arguments);
  if (!done) return done.error();
  return setup;
}

// What `analyze --strict` says of the file, so that the two never differ: false too where nothing
// is known.
bool is_precise(const schema::RunFile& run) {
  return analyze::is_precise(analyze::analyze(std::span(&run, 1)));
}

int exit_after(const schema::RunFile& run, const ProfileFlags& flags, const base::Log& log) {
  const std::string& reason = run.end->reason;
  if (reason == "interrupted") {
    log.warning(fmt::format("interrupted; everything measured so far is in {}; go on with --resume",
                            flags.output.path.string()));
    return kInterrupted;
  }
  if (run.visits.empty()) {
    return fail(
        log, {ErrorKind::failed, "no configuration could be measured", flags.output.path.string(),
              "read the warnings above, which are in the run file too; measure anew with "
              "--overwrite"});
  }
  if (flags.strict && !is_precise(run)) {
    log.error(
        fmt::format("the target precision was not reached (--strict); the run ended: {}", reason));
    return kNotPrecise;
  }
  return kDone;
}

// What several instances are pinned to. Virtual time needs no cores.
device::CpuList cores_for(const Setup& setup) {
  if (setup.engines.front()->name() == "synthetic") return {};
  return device::default_threads(base::SystemRoot()).cpus;
}

int measure_all(Setup& setup, const ProfileFlags& flags, measure::RunOutput& output,
                const base::Log& log) {
  const Interrupt interrupt;
  const bool begun = setup.recorded && !setup.recorded->visits.empty();
  if (!begun) {
    auto tried = try_models(setup.job, interrupt.token());
    if (!tried) return fail(log, tried.error());
  }
  auto opened = output.sink(setup.recorded ? setup.recorded->report.valid_bytes : 0);
  if (!opened) return fail(log, opened.error());
  const auto sink = *std::move(opened);
  const auto gpus = device::open_gpu_monitor();
  const auto fitness = measure::make_system_fitness_probe(base::SystemRoot(), gpus.get());
  const auto executor = make_executor(setup.job.header.plan, fitness.get(), cores_for(setup));
  ProgressPrinter progress(log, stderr_is_terminal());
  const measure::Collaborators collaborators{*executor, *sink, &progress, interrupt.token()};
  measure::Session session = setup.recorded
                                 ? measure::Session(setup.job, *setup.recorded, collaborators)
                                 : measure::Session(setup.job, collaborators);
  const auto end = study::run(session, setup.follow_ups);
  const schema::RunFile& run = session.recorded();
  output.keep(run);
  if (!end) return fail(log, end.error());
  const auto render = flags.format == "json" ? results_json : results_text;
  if (auto written = write_output({}, render(run, progress.estimates(), flags.output.path));
      !written) {
    return fail(log, written.error());
  }
  return exit_after(run, flags, log);
}

// Shows the plan and writes nothing.
int dry_run(const ProfileFlags& flags, const std::vector<std::string>& arguments,
            const base::Log& log) {
  const auto setup = set_up(flags, arguments);
  if (!setup) return fail(log, setup.error());
  const schema::Header& header = setup->job.header;
  const auto time =
      measure::estimate_time(header.plan, static_cast<int>(setup->job.configs.size()));
  const auto render = flags.format == "json" ? plan_json : plan_text;
  if (auto written = write_output({}, render(header, setup->job.configs, time)); !written) {
    return fail(log, written.error());
  }
  return kDone;
}

}  // namespace

int profile_verb(const std::vector<std::string>& arguments) {
  ProfileFlags flags;
  Command command("profile",
                  "Measure a model over batch sizes and other axes, in fresh processes and random "
                  "order, and keep every "
                  "sample in a run file.");
  add_flags(command.app(), flags);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log(flags.quiet ? base::LogLevel::quiet : base::LogLevel::normal);
  if (flags.list_models) return list_models(flags, log);
  auto chosen = choose_run_file(flags.output, kDefaultOutput);
  if (!chosen) return fail(log, chosen.error());
  if (flags.dry_run) return dry_run(flags, arguments, log);
  auto output = take_run_file(flags.output, flags.resume);
  if (!output && !can_only_be_read(flags.output, flags.resume)) return fail(log, output.error());
  auto setup = set_up(flags, arguments);
  if (!setup) return fail(log, setup.error());
  const auto& [controls, diagnosis, verification] = setup->follow_ups;
  const bool more = controls.automatic || diagnosis.interventions || verification.automatic;
  if (setup->complete && !more) {
    log.info(fmt::format("{} is complete; for more, measure into a new file and analyze both",
                         flags.output.path.string()));
    return kDone;
  }
  if (!output) return fail(log, output.error());
  const int done = measure_all(*setup, flags, *output, log);
  tidy_up();
  return done;
}

}  // namespace batchscope::cli
