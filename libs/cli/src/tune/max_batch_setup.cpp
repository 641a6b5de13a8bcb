#include "max_batch_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "batchscope/base/system_root.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/device/memory_room.hpp"
#include "batchscope/measure/process_executor.hpp"
#include "measuring/measured_run.hpp"
#include "measuring/resume_flags.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using schema::AxisId;

constexpr double kDefaultBudgetS = 3600;
constexpr double kLargestMargin = 0.9;

Error refused(std::string what, std::string flag, std::string fix) {
  return {ErrorKind::usage, std::move(what), std::move(flag), std::move(fix)};
}

struct TypedFlag {
  bool typed;
  const char* name;
};

Result<void> check_alone(const TuneFlags& flags) {
  const ProfileFlags& profile = flags.profile;
  const std::array<TypedFlag, 15> useless{{
      {!flags.replay.empty(), "--replay"},
      {flags.objective != to_string(tune::Objective::throughput), "--objective"},
      {!profile.latency_budget.empty(), "--latency-budget"},
      {!flags.price_per_hour.empty(), "--price-per-hour"},
      {!flags.practical.empty(), "--practical"},
      {flags.points > 0, "--points"},
      {!flags.exports.empty(), "--export"},
      {!profile.axes[AxisId::batch_size].empty(), "--batch-sizes"},
      {profile.current_batch_size > 0, "--current-batch-size"},
      {profile.iterations > 0, "--iterations"},
      {!profile.min_visit_time.empty(), "--min-visit-time"},
      {!profile.isolation.empty(), "--isolation"},
      {!profile.axes[AxisId::instances].empty(), "--instances"},
      {profile.effective_batch > 0, "--effective-batch"},
      {!profile.text.pipeline.empty(), "--pipeline"},
  }};
  for (const TypedFlag& flag : useless) {
    if (!flag.typed) continue;
    return refused("has no meaning for the largest batch",
                   std::string(flag.name) + ", --max-batch-only", "leave one out");
  }
  return {};
}

Result<double> read_margin(const TuneFlags& flags) {
  if (flags.margin.empty()) return capacity::MaxBatchPlan{}.margin;
  const auto margin = base::parse_ratio(flags.margin);
  if (margin && *margin <= kLargestMargin) return *margin;
  return refused(fmt::format("'{}' is no margin", flags.margin), "--margin",
                 "name a share of the limit from 0% to 90%, such as 5%");
}

Result<double> read_soak(const TuneFlags& flags) {
  if (flags.soak_time.empty()) return capacity::MaxBatchPlan{}.soak_s;
  const auto time = base::parse_duration(flags.soak_time);
  if (time && time->count() > 0) return std::chrono::duration<double>(*time).count();
  return refused(fmt::format("'{}' is no time to run", flags.soak_time), "--soak-time",
                 "name one, such as 30s");
}

// A mix of lengths at its longest: that is what has to fit, and what is soaked.
void take_the_longest(study::Axes& axes) {
  for (const study::LengthMix& mix : axes.length_mixes) {
    const int64_t longest = mix.observed.empty() ? mix.high : mix.observed.back();
    auto& lengths = axes.seq_lens;
    if (std::find(lengths.begin(), lengths.end(), longest) == lengths.end()) {
      lengths.push_back(longest);
    }
  }
  axes.length_mixes.clear();
}

Result<void> set_limit(const study::Axes& axes, capacity::MaxBatchPlan& plan,
                       schema::MeasurementPlan& of_run) {
  if (axes.devices.size() != 1) {
    return refused("each device has memory of its own", "--device", "name one");
  }
  const std::string& name = axes.devices.front();
  const auto gpus = device::open_gpu_monitor();
  const auto room = device::memory_room(base::SystemRoot(), *gpus, name);
  if (!room.held && of_run.memory_limit_bytes) {
    return refused("holds memory of the host, which is not what a batch takes on " + name,
                   "--memory-limit", "leave it out: the limit is what the device has");
  }
  plan.machine_bytes = room.bytes;
  plan.limit_bytes = of_run.memory_limit_bytes.value_or(room.bytes);
  plan.limit_of = of_run.memory_limit_bytes ? "--memory-limit" : room.of;
  plan.held = room.held && plan.limit_bytes > 0;
  if (!plan.held) return {};
  of_run.memory_limit_bytes = plan.limit_bytes;
  of_run.memory_limit_kind =
      measure::choose_memory_limit(base::SystemRoot(), plan.limit_bytes).kind;
  return {};
}

Result<void> read_plan(const TuneFlags& flags, study::ProfileRequest& request,
                       capacity::MaxBatchPlan& plan) {
  const auto margin = read_margin(flags);
  if (!margin) return margin.error();
  const auto soak_s = read_soak(flags);
  if (!soak_s) return soak_s.error();
  plan.margin = *margin;
  plan.soak_s = *soak_s;
  if (flags.max_batch_size > 0) plan.at_most = flags.max_batch_size;
  return set_limit(request.axes, plan, request.plan);
}

Result<void> set_up_new(MaxBatchSetup& setup, study::ProfileRequest& request,
                        const std::vector<std::string>& arguments) {
  auto job = make_new_job("tune", arguments, setup.engines, request);
  if (!job) return std::move(job).error();
  setup.job = *std::move(job);
  capacity::write_max_batch_plan(setup.plan, setup.job.header);
  setup.run.header = setup.job.header;
  setup.run.configs = setup.job.configs;
  return {};
}

// What was typed is what the run was begun with.
Result<void> check_same_plan(const TuneFlags& flags, const capacity::MaxBatchPlan& typed,
                             const capacity::MaxBatchPlan& begun) {
  const std::array<TypedFlag, 4> differs{{
      {!flags.margin.empty() && typed.margin != begun.margin, "--margin"},
      {!flags.soak_time.empty() && typed.soak_s != begun.soak_s, "--soak-time"},
      {typed.at_most && typed.at_most != begun.at_most, "--max-batch-size"},
      {!flags.profile.memory_limit.empty() && typed.limit_bytes != begun.limit_bytes,
       "--memory-limit"},
  }};
  for (const TypedFlag& flag : differs) {
    if (!flag.typed) continue;
    return refused("the run was begun with another value", flag.name,
                   "leave the flag out, or search into a new file");
  }
  return {};
}

Result<void> set_up_resumed(MaxBatchSetup& setup, const TuneFlags& flags,
                            const study::ProfileRequest& request, schema::RunFile recorded) {
  auto plan = capacity::read_max_batch_plan(recorded.header);
  if (!plan) return std::move(plan).error();
  if (auto same = check_same_plan(flags, setup.plan, *plan); !same) return same;
  setup.plan = *std::move(plan);
  auto resumed = take_up(std::move(recorded), setup.engines, request, flags.profile.force);
  if (!resumed) return std::move(resumed).error();
  setup.job = std::move(resumed->job);
  setup.run = std::move(resumed->recorded);
  // More time is what an interrupted search may be given.
  if (!flags.profile.budget.empty()) setup.run.header.plan.budget_s = request.plan.budget_s;
  return {};
}

}  // namespace

Result<void> check_max_batch_flags(const TuneFlags& flags) {
  if (flags.max_batch_only) return check_alone(flags);
  const bool typed = !flags.margin.empty() || !flags.soak_time.empty();
  if (!typed) return {};
  return refused("of the search for the largest batch", "--margin, --soak-time",
                 "add --max-batch-only, or leave them out");
}

Result<MaxBatchSetup> set_up_max_batch(const TuneFlags& flags,
                                       const std::vector<std::string>& arguments) {
  auto request = read_flags(flags.profile);
  if (!request) return std::move(request).error();
  request->axes.batch_sizes = {1};
  take_the_longest(request->axes);
  if (flags.profile.budget.empty()) request->plan.budget_s = kDefaultBudgetS;
  request->plan.budget_fixed = true;
  MaxBatchSetup setup;
  if (auto read = read_plan(flags, *request, setup.plan); !read) return read.error();
  auto recorded = read_recorded(flags.profile);
  if (!recorded) return std::move(recorded).error();
  auto engines = load_engines(flags.profile, *recorded);
  if (!engines) return std::move(engines).error();
  setup.engines = *std::move(engines);
  auto done = *recorded ? set_up_resumed(setup, flags, *request, **std::move(recorded))
                        : set_up_new(setup, *request, arguments);
  if (!done) return done.error();
  return setup;
}

}  // namespace batchscope::cli
