#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/compare/summary_gates.hpp"
#include "batchscope/engine/model_store.hpp"
#include "batchscope/study/check_pipelines.hpp"
#include "command.hpp"
#include "measuring/measured_run.hpp"
#include "measuring/profile_flags.hpp"
#include "measuring/progress.hpp"
#include "measuring/resume_flags.hpp"
#include "measuring/run_file.hpp"
#include "places.hpp"
#include "profile_results.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr std::string_view kDefaultOutput = "batch_profile.jsonl";

int list_models(const ProfileFlags& flags, const base::Log& log) {
  auto engine = load_engine(engines_of(flags).front());
  if (!engine) return fail(log, engine.error());
  std::string text;
  for (const engine::ModelDescription& model : (*engine)->models()) {
    const std::string length =
        model.default_seq_len ? fmt::format(", {} tokens by default", *model.default_seq_len) : "";
    text += fmt::format("{:<16} {:>11} parameters  {}{}\n", model.name, model.parameters,
                        model.summary, length);
  }
  for (const engine::StoredModel& model : engine::stored_models(own_places())) {
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
  LoadedEngines engines;
  measure::Job job;
  std::optional<schema::RunFile> recorded;  // when resuming
  bool complete = false;                    // nothing is left of the resumed run
};

// The plan, axes and seed of a resumed run come from its file; what the models are now is held
// against it.
Result<void> set_up_resumed(Setup& setup, const ProfileFlags& flags, schema::RunFile recorded) {
  auto agrees = check_agrees(flags, setup.request, recorded.header);
  if (!agrees) return agrees;
  const auto reason = recorded.end.value_or(schema::End{}).reason;
  schema::MeasurementPlan& plan = recorded.header.plan;
  if (!plan.diagnose) study::copy_diagnosis(setup.request.plan, plan);
  setup.follow_ups = study::follow_ups_of(plan);
  setup.complete =
      reason == schema::EndReason::blocks_done || reason == schema::EndReason::target_reached;
  auto resumed = take_up(std::move(recorded), setup.engines, setup.request, flags.force);
  if (!resumed) return std::move(resumed).error();
  setup.job = std::move(resumed->job);
  setup.recorded = std::move(resumed->recorded);
  return study::check_pipelines(setup.job, own_places());
}

// What another verb or program wrote is theirs to go on with. Errors: usage.
Result<void> check_origin(const schema::OpenEnum<schema::Origin>& origin, const std::string& path) {
  const auto refuse = [&](const char* what, const char* fix) {
    return Error{ErrorKind::usage, what, path, fix};
  };
  if (origin == schema::Origin::imported) {
    return refuse("these numbers were imported, not measured", "resume only what `profile` wrote");
  }
  if (origin == schema::Origin::api) {
    return refuse("a program measured a function of its own here",
                  "run that program again, or name another file");
  }
  if (origin == schema::Origin::max_batch) {
    return refuse("`tune --max-batch-only` wrote this run and knows how to go on",
                  "use batchscope tune --max-batch-only --resume");
  }
  if (origin == schema::Origin::tune) {
    return refuse("`tune` wrote this run and knows how to go on", "use batchscope tune --resume");
  }
  return {};
}

Result<Setup> set_up(const ProfileFlags& flags, const std::vector<std::string>& arguments) {
  auto request = read_flags(flags);
  if (!request) return std::move(request).error();
  auto recorded = read_recorded(flags);
  if (!recorded) return std::move(recorded).error();
  if (*recorded) {
    auto own = check_origin((*recorded)->header.origin, flags.output.path.string());
    if (!own) return own.error();
  }
  const study::FollowUps follow_ups = study::follow_ups_of(request->plan);
  Setup setup{*std::move(request), follow_ups, {}, {}, {}, false};
  auto engines = load_engines(flags, *recorded);
  if (!engines) return std::move(engines).error();
  setup.engines = *std::move(engines);
  if (*recorded) {
    auto resumed = set_up_resumed(setup, flags, **std::move(recorded));
    if (!resumed) return resumed.error();
    return setup;
  }
  auto job = make_new_job("profile", arguments, setup.engines, setup.request);
  if (!job) return std::move(job).error();
  setup.job = *std::move(job);
  return setup;
}

// What `analyze --strict` says of the file, so that the two never differ: false too where nothing
// is known.
bool reached_target(const schema::RunFile& run) {
  return compare::reached_target(analyze::analyze(std::span(&run, 1)));
}

int exit_after(const schema::RunFile& run, const ProfileFlags& flags, const base::Log& log) {
  const std::string_view reason = run.end->reason.text();
  if (run.visits.empty()) {
    return fail(
        log, {ErrorKind::failed, "no configuration could be measured", flags.output.path.string(),
              "read the warnings above, which are in the run file too; measure anew with "
              "--overwrite"});
  }
  if (flags.strict && !reached_target(run)) {
    log.error(
        fmt::format("the target precision was not reached (--strict); the run ended: {}", reason));
    return kTargetMissed;
  }
  return kDone;
}

int measure_all(const Setup& setup, const ProfileFlags& flags, measure::RunOutput& output,
                const base::Log& log) {
  ProgressPrinter progress(log, stderr_is_terminal());
  const RunParts parts{setup.engines, setup.job, setup.recorded, output, progress};
  const auto run = measure_run(
      parts, [&](measure::Session& session) { return study::run(session, setup.follow_ups); });
  if (!run) return fail(log, run.error());
  const bool interrupted = run->end->reason == schema::EndReason::interrupted;
  if (!interrupted || !run->visits.empty()) {
    const auto render = flags.format == Format::json ? results_json : results_text;
    const auto written = write_output({}, render(*run, progress.estimates(), flags.output.path));
    if (!written) return fail(log, written.error());
  }
  if (!interrupted) return exit_after(*run, flags, log);
  warn_of_interruption(*run, output, flags.output.path, log);
  return kInterrupted;
}

// Shows the plan and writes nothing.
int dry_run(const ProfileFlags& flags, const std::vector<std::string>& arguments,
            const base::Log& log) {
  const auto setup = set_up(flags, arguments);
  if (!setup) return fail(log, setup.error());
  const schema::Header& header = setup->job.header;
  const auto time =
      measure::estimate_time(header.plan, static_cast<int>(setup->job.configs.size()));
  const auto render = flags.format == Format::json ? plan_json : plan_text;
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
  const base::Log log = make_log(flags.quiet);
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
  return measure_all(*setup, flags, *output, log);
}

}  // namespace batchscope::cli
