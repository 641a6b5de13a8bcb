#include <fmt/format.h>
#include <unistd.h>

#include <span>
#include <string_view>

#include "batchscope/api/analyze.hpp"
#include "batchscope/api/profile.hpp"
#include "batchscope/base/terminal.hpp"
#include "batchscope/engine/model_store.hpp"
#include "batchscope/report/profile.hpp"
#include "cluster/launch.hpp"
#include "command.hpp"
#include "install_paths.hpp"
#include "measuring/profile_flags.hpp"
#include "measuring/run_file.hpp"
#include "progress/progress.hpp"

namespace batchscope::cli {
namespace {

using base::ErrorKind;

constexpr std::string_view kDefaultOutput = "batch_profile.jsonl";

int list_models(const ProfileFlags& flags, const base::Log& log) {
  const auto engine = api::load_engine(this_program(), engines_of(flags).front());
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
      "and any TorchScript (.pt) or AOTInductor (.pt2) file, and any ONNX (.onnx) or "
      "OpenVINO (.xml) file\n";
  const auto written = write_output({}, text);
  return written ? static_cast<int>(kDone) : fail(log, written.error());
}

int exit_after(const schema::RunFile& run, const ProfileFlags& flags, const base::Log& log) {
  const std::string_view reason = run.end->reason.text();
  if (run.visits.empty()) {
    return fail(log, {ErrorKind::failed, "no configuration succeeded", flags.output.path.string(),
                      "read the warnings above (also in the run file), then measure again with "
                      "--on-existing overwrite"});
  }
  if (flags.strict && !api::reached_target(run)) {
    log.error(fmt::format("the target precision was not reached (--strict); the run stopped: {}",
                          reason));
    return kTargetMissed;
  }
  return kDone;
}

base::Result<findings::Summary> summary_of(const schema::RunFile& run,
                                           const std::filesystem::path& path) {
  api::AnalyzeOptions options;
  options.analysis.names = {path.string()};
  return api::analyze(this_program(), std::span(&run, 1), std::move(options));
}

base::Result<std::string> rendered(const schema::RunFile& run, const ProgressPrinter& progress,
                                   const ProfileFlags& flags) {
  const std::filesystem::path& path = flags.output.path;
  const auto summary = summary_of(run, path);
  if (!summary) return summary.error();
  if (flags.format == Format::json) {
    return report::profile_json(run, progress.estimates(), path, *summary);
  }
  const std::string where =
      fmt::format("run file: {0}; full analysis: batchscope analyze {0} --charts", path.string());
  return report::profile_text(run, progress.estimates(), where, *summary,
                              text_options({}, flags.brief));
}

int show(const api::MeasuredRun& made, const ProgressPrinter& progress, const ProfileFlags& flags,
         const base::Log& log) {
  const bool interrupted = made.was_interrupted();
  if (!interrupted || !made.run.visits.empty()) {
    const auto text = rendered(made.run, progress, flags);
    if (!text) return fail(log, text.error());
    if (auto written = write_output({}, *text, look_of(flags.format)); !written) {
      return fail(log, written.error());
    }
  }
  if (!interrupted) return exit_after(made.run, flags, log);
  warn_of_interruption(made, flags.output.path, log);
  return kInterrupted;
}

int measure_and_show(const api::MeasureOptions& options, const ProfileFlags& flags,
                     const base::Log& log) {
  Interrupt interrupt(log);
  ProgressPrinter progress(log, base::rewrites_lines(STDERR_FILENO));
  const auto made = api::profile(
      with_interpreter(telling(this_program(interrupt), log), flags.python), options, &progress);
  if (!made) return fail(log, made.error());
  if (!made->was_complete) return show(*made, progress, flags, log);
  log.info(fmt::format("{} is complete: for more, measure into a new file and analyze both",
                       flags.output.path.string()));
  return kDone;
}

// Shows the plan and writes nothing.
int dry_run(const api::MeasureOptions& options, const ProfileFlags& flags, const base::Log& log) {
  const auto job =
      api::profile_job(with_interpreter(telling(this_program(), log), flags.python), options);
  if (!job) return fail(log, job.error());
  const schema::Header& header = job->header;
  const auto time = measure::estimate_time(header.plan, static_cast<int>(job->configs.size()));
  const auto render = flags.format == Format::json ? report::dry_run_json : report::dry_run_text;
  if (auto written = write_output({}, render(header, job->configs, time)); !written) {
    return fail(log, written.error());
  }
  return kDone;
}

}  // namespace

int profile_verb(const std::vector<std::string>& arguments) {
  ProfileFlags flags;
  Command command("profile",
                  "Measure a model over batch sizes and other axes, in fresh processes and random "
                  "order, into a run file.");
  add_flags(command.app(), flags);
  command.usual({"--model", "--batch-sizes", "--output", "--input", "--seq-lens", "--precision",
                 "--device", "--threads", "--instances", "--budget", "--diagnose", "--dry-run",
                 "--on-existing"});
  command.examples({"batchscope profile -m distilbert -b 1,2,4,8 --seq-lens 64 -o run.jsonl",
                    "batchscope profile -m model.pt -b 1-8 --diagnose -o run.jsonl"});
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log = make_log(flags.quiet);
  if (flags.list_models) return list_models(flags, log);
  auto chosen = choose_run_file(flags.output, kDefaultOutput);
  if (!chosen) return fail(log, chosen.error());
  const auto options = read_flags(flags, command_line_of("profile", arguments));
  if (!options) return fail(log, options.error());
  if (flags.dry_run) return dry_run(*options, flags, log);
  return flags.cluster.measures_elsewhere() ? profile_on_cluster(*options, flags, log)
                                            : measure_and_show(*options, flags, log);
}

}  // namespace batchscope::cli
