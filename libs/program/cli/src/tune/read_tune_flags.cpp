#include <fmt/format.h>

#include <cmath>

#include "batchscope/base/parse_number.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/schema/tables.hpp"
#include "recorded_inputs.hpp"
#include "tune_flags.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using schema::AxisId;

constexpr const char* kWhenNeeded = "auto";

Result<void> read_price(const TuneFlags& flags, tune::Goal& goal) {
  if (flags.price_per_hour.empty()) {
    if (goal.objective != tune::Objective::cost) return {};
    return Error{ErrorKind::usage, "a cost needs a price", "--objective cost",
                 "add --price-per-hour, in any currency"};
  }
  const std::string& text = flags.price_per_hour;
  const double price = base::parse_number<double>(text).value_or(0);
  if (!(price > 0) || !std::isfinite(price)) {
    return Error{ErrorKind::usage, fmt::format("'{}' is not a price", text), "--price-per-hour",
                 "write a number above 0, such as 0.34"};
  }
  goal.price_per_hour = price;
  return {};
}

Result<void> read_bounds(const TuneFlags& flags, tune::Goal& goal) {
  schema::MeasurementPlan bounds;
  if (auto read = read_settings(flags.profile.settings, bounds); !read) return read;
  goal.latency_budget_s = bounds.latency_budget_s;
  goal.memory_limit_bytes = bounds.memory_limit_bytes;
  auto statistic = schema::parse_latency_statistic(flags.latency_quantile);
  if (!statistic) return std::move(statistic).error();
  goal.latency_of = *statistic;
  return {};
}

// --checkpointing auto: both are points of the grid, and the search looks at what is computed again
// where memory is out without it.
Result<api::MeasureOptions> read_measuring(ProfileFlags flags,
                                           std::vector<std::string> command_line,
                                           tune::TunePlan& plan) {
  std::vector<std::string>& checkpointing = flags.axes[AxisId::checkpointing];
  plan.search.checkpoint_when_needed = checkpointing == std::vector<std::string>{kWhenNeeded};
  if (plan.search.checkpoint_when_needed) checkpointing = {"off", "on"};
  auto options = read_flags(flags, std::move(command_line));
  if (options && plan.search.checkpoint_when_needed) {
    options->request.axes_as_typed["checkpointing"] = kWhenNeeded;
  }
  return options;
}

// Of what is typed for a search alone, that a resumed run is held to.
void add_stated(const TuneFlags& flags, std::set<std::string, std::less<>>& stated) {
  if (flags.objective != to_string(tune::Objective::throughput)) stated.insert("--objective");
  if (flags.latency_quantile != to_string(schema::LatencyStatistic::p50))
    stated.insert("--latency-quantile");
  if (flags.verify_blocks) stated.insert("--verify-blocks");
  if (!flags.practical.empty()) stated.insert("--practical");
}

Result<double> read_noise(const TuneFlags& flags) {
  if (flags.noise.empty()) return 0.0;
  auto noise = base::parse_ratio(flags.noise);
  if (noise) return noise;
  Error error = std::move(noise).error();
  error.where = "--noise";
  return error;
}

std::optional<int64_t> if_above_0(int64_t size) {
  return size > 0 ? std::optional(size) : std::nullopt;
}

}  // namespace

Result<tune::TunePlan> read_tune_plan(const TuneFlags& flags) {
  tune::TunePlan plan;
  plan.goal.objective = schema::parse_objective(flags.objective).value_or(plan.goal.objective);
  if (auto read = read_price(flags, plan.goal); !read) return read.error();
  if (auto read = read_bounds(flags, plan.goal); !read) return read.error();
  if (flags.points > 0) plan.search.points = flags.points;
  if (flags.verify_blocks) plan.set_verify_blocks(*flags.verify_blocks);
  const auto practical = read_practical(flags.practical);
  if (!practical) return practical.error();
  plan.practical = practical->value_or(plan.practical);
  return plan;
}

Result<api::TuneOptions> read_tune_options(const TuneFlags& flags,
                                           std::vector<std::string> command_line) {
  auto plan = read_tune_plan(flags);
  if (!plan) return std::move(plan).error();
  auto measuring = read_measuring(flags.profile, std::move(command_line), *plan);
  if (!measuring) return std::move(measuring).error();
  const auto exports = read_exports(flags);
  if (!exports) return exports.error();
  api::TuneOptions options{*std::move(measuring), *std::move(plan)};
  add_stated(flags, options.stated);
  options.max_batch_size = if_above_0(flags.max_batch_size);
  options.forget_ceilings = flags.forget_ceilings;
  for (const ExportTarget& target : *exports) options.exports.push_back(target.format);
  return options;
}

Result<api::ReplayOptions> read_replay_options(const TuneFlags& flags) {
  auto plan = read_tune_plan(flags);
  if (!plan) return std::move(plan).error();
  const auto noise = read_noise(flags);
  if (!noise) return noise.error();
  api::ReplayOptions options{flags.replay, *std::move(plan), *noise};
  options.seed = flags.profile.seed.value_or(options.seed);
  schema::MeasurementPlan bounds;
  if (auto read = read_settings(flags.profile.settings, bounds); !read) return read.error();
  options.current_batch_size = bounds.current_batch_size;
  options.max_batch_size = if_above_0(flags.max_batch_size);
  return options;
}

}  // namespace batchscope::cli
