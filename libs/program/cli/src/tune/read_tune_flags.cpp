#include <fmt/format.h>

#include "batchscope/base/units.hpp"
#include "batchscope/schema/tables.hpp"
#include "tune_flags.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using schema::AxisId;

constexpr const char* kWhenNeeded = "auto";

// --checkpointing auto: both are points of the grid, and the search looks at what is computed again
// where memory is out without it.
bool checkpoints_when_needed(const ProfileFlags& flags) {
  return flags.axes[AxisId::checkpointing] == std::vector<std::string>{kWhenNeeded};
}

Result<api::MeasureOptions> read_measuring(ProfileFlags flags,
                                           std::vector<std::string> command_line) {
  const bool when_needed = checkpoints_when_needed(flags);
  if (when_needed) flags.axes[AxisId::checkpointing] = {"off", "on"};
  auto options = read_flags(flags, std::move(command_line));
  if (options && when_needed) options->request.axes_as_typed["checkpointing"] = kWhenNeeded;
  return options;
}

Result<double> read_noise(const TuneFlags& flags) {
  if (flags.noise.empty()) return 0.0;
  auto noise = base::parse_ratio(flags.noise);
  if (noise) return noise;
  Error error = std::move(noise).error();
  error.where = "--noise";
  return error;
}

template <class Settings>
Result<Settings> settings_of(const TuneFlags& flags) {
  Settings settings;
  if (auto read = read_settings(flags.profile.settings, settings); !read) return read.error();
  return settings;
}

// The limits of the plan bound what is found.
Result<tune::TunePlan> read_tune_plan(const TuneFlags& flags,
                                      const schema::MeasurementPlan& of_run) {
  const auto settings = settings_of<schema::TuneSettings>(flags);
  if (!settings) return settings.error();
  tune::TunePlan plan;
  plan.goal = {*settings, of_run.latency_budget_s, of_run.memory_limit_bytes};
  plan.goal.latency_of = of_run.latency_of.value_or(schema::LatencyStatistic::p50);
  if (plan.goal.objective == tune::Objective::cost && !plan.goal.price_per_hour) {
    return Error{ErrorKind::usage, "the objective cost needs a price", "--objective cost",
                 "add --price-per-hour, in any currency"};
  }
  return plan;
}

}  // namespace

Result<api::TuneOptions> read_tune_options(const TuneFlags& flags,
                                           std::vector<std::string> command_line) {
  auto measuring = read_measuring(flags.profile, std::move(command_line));
  if (!measuring) return std::move(measuring).error();
  auto plan = read_tune_plan(flags, measuring->request.plan);
  if (!plan) return std::move(plan).error();
  plan->search.checkpoint_when_needed = checkpoints_when_needed(flags.profile);
  const auto exports = read_exports(flags);
  if (!exports) return exports.error();
  const auto bound = settings_of<schema::MaxBatchSettings>(flags);
  if (!bound) return bound.error();
  api::TuneOptions options{*std::move(measuring), *std::move(plan), bound->max_batch_size};
  options.forget_ceilings = flags.forget_ceilings;
  for (const ExportTarget& target : *exports) options.exports.push_back(target.format);
  return options;
}

Result<api::LargestBatchOptions> read_largest_batch_options(const TuneFlags& flags,
                                                            std::vector<std::string> command_line) {
  auto measuring = read_flags(flags.profile, std::move(command_line));
  if (!measuring) return std::move(measuring).error();
  auto plan = settings_of<schema::MaxBatchSettings>(flags);
  if (!plan) return std::move(plan).error();
  return api::LargestBatchOptions{*std::move(measuring), *std::move(plan), flags.forget_ceilings};
}

Result<api::ReplayOptions> read_replay_options(const TuneFlags& flags) {
  const auto of_run = settings_of<schema::MeasurementPlan>(flags);
  if (!of_run) return of_run.error();
  auto plan = read_tune_plan(flags, *of_run);
  if (!plan) return std::move(plan).error();
  const auto bound = settings_of<schema::MaxBatchSettings>(flags);
  if (!bound) return bound.error();
  const auto noise = read_noise(flags);
  if (!noise) return noise.error();
  api::ReplayOptions options{flags.replay, *std::move(plan), *noise};
  options.seed = flags.profile.seed.value_or(options.seed);
  options.current_batch_size = of_run->current_batch_size;
  options.max_batch_size = bound->max_batch_size;
  return options;
}

}  // namespace batchscope::cli
