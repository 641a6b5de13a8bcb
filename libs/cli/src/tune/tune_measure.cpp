#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "batchscope/base/lists.hpp"
#include "batchscope/capacity/known_ceilings.hpp"
#include "batchscope/device/gpu_monitor.hpp"
#include "batchscope/device/memory_room.hpp"
#include "batchscope/schema/device_name.hpp"
#include "command.hpp"
#include "measuring/measured_run.hpp"
#include "measuring/resume_flags.hpp"
#include "measuring/run_file.hpp"
#include "subject_flags.hpp"
#include "tune_dry_run.hpp"
#include "tune_modes.hpp"
#include "tune_progress.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using schema::AxisId;

constexpr std::string_view kDefaultOutput = "tune.jsonl";
constexpr double kDefaultBudgetS = 600;
constexpr const char* kWhenNeeded = "auto";

// What one run of `tune` works with.
struct Setup {
  study::ProfileRequest request;
  tune::TunePlan plan;
  LoadedEngines engines;
  measure::Job job;
  std::optional<schema::RunFile> recorded;  // when resuming
};

bool trains(const study::Axes& axes) {
  return std::find(axes.modes.begin(), axes.modes.end(), schema::Mode::train) != axes.modes.end();
}

// One, and twice as many as long as each has a core; of training one, because copies would share no
// gradients.
std::vector<int64_t> default_instances(const study::Axes& axes) {
  std::vector<int64_t> counts{1};
  const bool on_host = axes.devices == std::vector<std::string>{"cpu"} && !trains(axes);
  while (on_host && counts.back() * 2 <= axes.cores) counts.push_back(counts.back() * 2);
  return counts;
}

Result<void> fill_axes(const TuneFlags& flags, study::Axes& axes) {
  if (flags.profile.axes[AxisId::batch_size].empty()) axes.batch_sizes = default_tune_sizes();
  if (flags.profile.axes[AxisId::instances].empty() &&
      flags.profile.isolation != to_string(schema::Isolation::none)) {
    axes.instances = default_instances(axes);
  }
  const int64_t current = flags.profile.current_batch_size;
  auto& sizes = axes.batch_sizes;
  if (current > 0 && std::find(sizes.begin(), sizes.end(), current) == sizes.end()) {
    sizes.push_back(current);
    std::sort(sizes.begin(), sizes.end());
  }
  return bound_batch_sizes(flags, sizes);
}

// Alternatives do the same work.
Result<void> check_one_work(const study::ProfileRequest& request) {
  const auto several = [](std::size_t count, const char* flag) -> Result<void> {
    if (count <= 1) return {};
    return Error{ErrorKind::usage, "a search is for one thing to do", flag,
                 "name one, and tune the others by themselves"};
  };
  const study::Axes& axes = request.axes;
  if (auto one = several(axes.modes.size(), "--mode"); !one) return one;
  const bool copies = std::any_of(axes.instances.begin(), axes.instances.end(),
                                  [](int64_t count) { return count > 1; });
  if (trains(axes) && copies) {
    return Error{
        ErrorKind::usage, "instances would be independent trainings, which share no gradients",
        "--instances",
        "leave it out; profile --mode train --instances tells how such trainings share the "
        "machine"};
  }
  return several(axes.seq_lens.size() + axes.length_mixes.size(), "--seq-lens");
}

// Where lengths vary, a timed sample is the mean of a cycle of batches.
Result<void> check_quantile(const tune::Goal& goal, const study::Axes& axes) {
  const bool of_batches = goal.latency_budget_s && tune::probability_of(goal.latency_of);
  if (!of_batches || axes.length_mixes.empty()) return {};
  return Error{ErrorKind::usage,
               fmt::format("where lengths vary the mean of many batches is timed, of which no {} "
                           "of a batch can be told",
                           to_string(goal.latency_of)),
               "--latency-budget",
               "bound the mean (--latency-quantile mean), or tune at the longest: --seq-lens 128"};
}

// Sizes that ran out of memory in any run are not tried.
Result<void> leave_out_ceilings(const TuneFlags& flags, measure::Job& job) {
  auto ceilings = capacity::Ceilings::open(
      flags.ceilings.empty() ? capacity::default_ceilings_file() : flags.ceilings);
  if (!ceilings) return ceilings.error();
  const auto gpus = device::open_gpu_monitor();
  const auto& typed = job.header.plan.memory_limit_bytes;
  const auto room = [&](const std::string& device) {
    if (typed && schema::is_cpu(device)) return *typed;
    return device::memory_room(base::SystemRoot(), *gpus, device).bytes;
  };
  if (flags.forget_ceilings && !flags.dry_run) capacity::forget_known(job, *ceilings);
  return capacity::leave_out_known(*ceilings, room, job);
}

Result<void> set_up_new(Setup& setup, const TuneFlags& flags,
                        const std::vector<std::string>& arguments) {
  auto job = make_new_job("tune", arguments, setup.engines, setup.request);
  if (!job) return std::move(job).error();
  setup.job = *std::move(job);
  if (auto left = leave_out_ceilings(flags, setup.job); !left) return left;
  tune::write_goal(setup.plan, setup.job.header);
  const auto& models = setup.job.header.models;
  const bool alike = std::all_of(models.begin(), models.end(), [&](const schema::ModelInfo& model) {
    return model.name == models.front().name;
  });
  if (alike) return {};
  return Error{ErrorKind::usage, "a search is for one model", "--model",
               "name one, and tune the others by themselves"};
}

// What was typed is what the run was begun with.
Result<void> check_same_goal(const TuneFlags& flags, const Setup& setup,
                             const tune::TunePlan& begun, const schema::Header& header) {
  if (auto agrees = check_agrees(flags.profile, setup.request, header); !agrees) return agrees;
  const tune::Goal& typed = setup.plan.goal;
  const tune::Goal& goal = begun.goal;
  const std::array<std::pair<bool, const char*>, 5> differs{{
      {flags.objective != to_string(tune::Objective::throughput) &&
           typed.objective != goal.objective,
       "--objective"},
      {flags.latency_quantile != to_string(schema::LatencyStatistic::p50) &&
           typed.latency_of != goal.latency_of,
       "--latency-quantile"},
      {typed.price_per_hour && typed.price_per_hour != goal.price_per_hour, "--price-per-hour"},
      {setup.plan.search.points && setup.plan.search.points != begun.search.points, "--points"},
      {flags.verify_blocks && *flags.verify_blocks != begun.verify_blocks, "--verify-blocks"},
  }};
  for (const auto& [is_other, flag] : differs) {
    if (!is_other) continue;
    return Error{ErrorKind::usage, "the run was begun with another value", flag,
                 "leave the flag out, or tune into a new file"};
  }
  return {};
}

Result<void> set_up_resumed(Setup& setup, const TuneFlags& flags, schema::RunFile recorded) {
  auto plan = tune::read_goal(recorded.header);
  if (!plan) return std::move(plan).error();
  if (auto same = check_same_goal(flags, setup, *plan, recorded.header); !same) return same;
  // How much a gain has to be is a matter of judging, not of measuring.
  if (!flags.practical.empty()) plan->practical = setup.plan.practical;
  setup.plan = *std::move(plan);
  auto resumed = take_up(std::move(recorded), setup.engines, setup.request, flags.profile.force);
  if (!resumed) return std::move(resumed).error();
  setup.job = std::move(resumed->job);
  setup.recorded = std::move(resumed->recorded);
  return {};
}

// --checkpointing auto: both are points of the grid, and the search looks at what is computed again
// where memory is out without it.
Result<study::ProfileRequest> read_request(ProfileFlags flags, tune::TunePlan& plan) {
  std::vector<std::string>& checkpointing = flags.axes[AxisId::checkpointing];
  plan.search.checkpoint_when_needed = checkpointing == std::vector<std::string>{kWhenNeeded};
  if (plan.search.checkpoint_when_needed) checkpointing = {"off", "on"};
  auto request = read_flags(flags);
  if (request && plan.search.checkpoint_when_needed) {
    request->axes_as_typed["checkpointing"] = kWhenNeeded;
  }
  return request;
}

Result<Setup> set_up(const TuneFlags& flags, const std::vector<std::string>& arguments) {
  auto plan = read_tune_plan(flags);
  if (!plan) return std::move(plan).error();
  auto request = read_request(flags.profile, *plan);
  if (!request) return std::move(request).error();
  if (auto filled = fill_axes(flags, request->axes); !filled) return filled.error();
  if (auto one = check_one_work(*request); !one) return one.error();
  if (auto known = check_quantile(plan->goal, request->axes); !known) return known.error();
  // Short visits, and more of them: which points they are spent on is what counts.
  request->plan.timed_over_startup = 0;
  request->plan.min_iterations = 3;
  if (flags.profile.budget.empty()) request->plan.budget_s = kDefaultBudgetS;
  request->plan.budget_fixed = true;
  auto recorded = read_recorded(flags.profile);
  if (!recorded) return std::move(recorded).error();
  Setup setup{*std::move(request), *std::move(plan), {}, {}, {}};
  auto engines = load_engines(flags.profile, *recorded);
  if (!engines) return std::move(engines).error();
  setup.engines = *std::move(engines);
  auto done = *recorded ? set_up_resumed(setup, flags, **std::move(recorded))
                        : set_up_new(setup, flags, arguments);
  if (!done) return done.error();
  return setup;
}

int finish(const schema::RunFile& run, const Setup& setup, const TuneFlags& flags,
           const base::Log& log) {
  findings::Tuning result = tune::tuning_of(tune::tuned_of(run, setup.plan), flag_of);
  result.run = flags.profile.output.path.string();
  result.warnings.insert(result.warnings.begin(), run.header.notes.begin(), run.header.notes.end());
  if (run.end->reason == schema::EndReason::budget) {
    result.warnings.push_back(
        "the budget ended the search before it was over; a longer --budget may "
        "find more");
  }
  const int printed = print_result(result, run.header.models, flags, log);
  if (!flags.noise_scale || !result.pick || printed != kDone) return printed;
  return noise_scale_of_pick(result.points[*result.pick], setup.request.plan.budget_s, flags);
}

int measure_and_print(const Setup& setup, const TuneFlags& flags, measure::RunOutput& output,
                      const base::Log& log) {
  TuneProgress progress(log, stderr_is_terminal(), flags.explain);
  const RunParts parts{setup.engines, setup.job, setup.recorded, output, progress};
  const auto run = measure_run(
      parts, [&](measure::Session& session) { return tune::tune(session, setup.plan, &progress); });
  if (!run) return fail(log, run.error());
  if (run->end->reason != schema::EndReason::interrupted) return finish(*run, setup, flags, log);
  warn_of_interruption(*run, output, flags.profile.output.path, log);
  return kInterrupted;
}

// A server that could run nothing of the grid is told before anything is measured.
Result<void> check_exports(const TuneFlags& flags, const measure::Job& job) {
  const auto targets = read_exports(flags);
  if (!targets) return targets.error();
  for (const ExportTarget& target : *targets) {
    std::optional<Error> refused;
    for (const schema::RunConfig& config : job.configs) {
      const auto can = tune::check_export(target.format, config);
      refused = can ? std::nullopt : std::optional(can.error());
      if (can) break;
    }
    if (refused) return *refused;
  }
  return {};
}

int print_grid(const Setup& setup, const TuneFlags& flags, const base::Log& log) {
  const auto render = flags.profile.format == Format::json ? tune_grid_json : tune_grid_text;
  const auto written = write_output({}, render(setup.job, setup.plan));
  return written ? static_cast<int>(kDone) : fail(log, written.error());
}

// What is going to be written is asked for before anything is measured.
Result<Setup> set_up_to_export(const TuneFlags& flags, const std::vector<std::string>& arguments) {
  auto setup = set_up(flags, arguments);
  if (!setup) return setup;
  if (auto can = check_exports(flags, setup->job); !can) return can.error();
  return setup;
}

// Shows the grid and writes nothing.
int dry_run(const TuneFlags& flags, const std::vector<std::string>& arguments,
            const base::Log& log) {
  const auto setup = set_up_to_export(flags, arguments);
  return setup ? print_grid(*setup, flags, log) : fail(log, setup.error());
}

}  // namespace

int tune_by_measuring(TuneFlags flags, const std::vector<std::string>& arguments,
                      const base::Log& log) {
  Output& named = flags.profile.output;
  const bool goes_on = flags.profile.resume;
  if (auto chosen = choose_run_file(named, kDefaultOutput); !chosen) {
    return fail(log, chosen.error());
  }
  if (flags.dry_run) return dry_run(flags, arguments, log);
  auto output = take_run_file(named, goes_on);
  if (!output && !can_only_be_read(named, goes_on)) return fail(log, output.error());
  auto setup = set_up_to_export(flags, arguments);
  if (!setup) return fail(log, setup.error());
  const auto& recorded = setup->recorded;
  if (recorded && recorded->end && recorded->end->reason == schema::EndReason::blocks_done) {
    log.info(fmt::format("{} is complete", named.path.string()));
    return finish(*recorded, *setup, flags, log);
  }
  if (!output) return fail(log, output.error());
  return measure_and_print(*setup, flags, *output, log);
}

}  // namespace batchscope::cli
