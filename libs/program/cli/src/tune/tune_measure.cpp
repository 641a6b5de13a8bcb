#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "batchscope/api/noise_scale.hpp"
#include "batchscope/base/terminal.hpp"
#include "batchscope/report/noise_scale.hpp"
#include "batchscope/report/tune.hpp"
#include "command.hpp"
#include "install_paths.hpp"
#include "measuring/run_file.hpp"
#include "progress/tune_progress.hpp"
#include "tune_modes.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;

constexpr std::string_view kTuneOutput = "tune.jsonl";
constexpr double kShareOfNoise = 1.0 / 3;  // of the budget, where the noise scale is asked for

void leave_budget_for_noise(api::TuneOptions& options) {
  double& budget_s = options.request.plan.budget_s;
  if (options.stated.insert("--budget").second) budget_s = api::kTuneBudgetS;
  budget_s *= 1 - kShareOfNoise;
}

// Measures the gradient noise scale of what is picked, as the verb `noise-scale` does, and prints
// it.
int noise_of_pick(const api::Program& program, const findings::TunedPoint& pick,
                  const api::TuneOptions& tuned, const std::vector<std::string>& models,
                  const base::Log& log) {
  const double seconds = tuned.request.plan.budget_s / (1 - kShareOfNoise) * kShareOfNoise;
  api::NoiseOptions options = api::noise_of_pick(pick, seconds);
  if (!models.empty()) options.model = models.front();
  options.inputs = tuned.request.inputs;
  options.run = tuned.file.path.string();
  const auto scale = api::noise_scale(program, options);
  if (!scale) return fail(log, scale.error());
  const auto written = write_output({}, report::noise_text(*scale));
  return written ? static_cast<int>(kDone) : fail(log, written.error());
}

int show(const api::Program& program, const api::TunedRun& made, const api::TuneOptions& options,
         const TuneFlags& flags, const base::Log& log) {
  const findings::Tuning& tuning = made.tuning;
  const int printed = print_result(tuning, made.run.header.models, flags, log);
  if (!flags.noise_scale || !tuning.pick || printed != kDone) return printed;
  return noise_of_pick(program, tuning.points[*tuning.pick], options, flags.profile.models, log);
}

// Shows the grid and writes nothing.
int dry_run(const api::Program& program, const api::TuneOptions& options, Format format,
            const base::Log& log) {
  const auto found = api::tune_job(program, options);
  if (!found) return fail(log, found.error());
  const auto render = format == Format::json ? report::tune_grid_json : report::tune_grid_text;
  const auto written = write_output({}, render(found->job, found->plan));
  return written ? static_cast<int>(kDone) : fail(log, written.error());
}

}  // namespace

base::Result<void> check_noise_scale(const TuneFlags& flags) {
  if (!flags.noise_scale) return {};
  const auto& modes = flags.profile.axes[schema::AxisId::mode];
  const bool trains = std::find(modes.begin(), modes.end(), "train") != modes.end();
  if (!trains) {
    return Error{ErrorKind::usage, "only training has gradients", "--noise-scale",
                 "use it with --mode train"};
  }
  if (flags.profile.format == Format::text) return {};
  return Error{ErrorKind::usage, "both write to standard output", "--noise-scale, --format json",
               "call `noise-scale --format json --run tune.jsonl` afterwards"};
}

int tune_by_measuring(TuneFlags flags, const std::vector<std::string>& arguments,
                      const base::Log& log) {
  const auto& path = flags.profile.output.path;
  auto chosen = choose_run_file(flags.profile.output, kTuneOutput);
  if (!chosen) return fail(log, chosen.error());
  auto options = read_tune_options(flags, command_line_of("tune", arguments));
  if (!options) return fail(log, options.error());
  if (flags.noise_scale) leave_budget_for_noise(*options);
  Interrupt interrupt(log);
  api::Program program =
      with_interpreter(telling(this_program(interrupt), log), flags.profile.python);
  if (!flags.ceilings.empty()) program.ceilings = flags.ceilings;
  if (flags.dry_run) return dry_run(program, *options, flags.profile.format, log);
  TuneProgress progress(log, base::rewrites_lines(STDERR_FILENO), flags.explain);
  const auto made = api::tune(program, *options, &progress, &progress);
  if (!made) return fail(log, made.error());
  if (made->was_complete) log.info(fmt::format("{} is complete", path.string()));
  if (!made->was_interrupted()) return show(program, *made, *options, flags, log);
  warn_of_interruption(*made, path, log);
  return kInterrupted;
}

}  // namespace batchscope::cli
