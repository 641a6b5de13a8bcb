#include "batchscope/api/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "batchscope/capacity/known_ceilings.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "batchscope/host/available_memory.hpp"
#include "batchscope/schema/device_name.hpp"
#include "grid.hpp"
#include "measuring/measured_run.hpp"
#include "measuring/resuming.hpp"
#include "measuring/run_file.hpp"
#include "to_results.hpp"

namespace batchscope::api {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// What one run of `tune` works with.
struct TuneSetup {
  TuneOptions options;
  tune::TunePlan plan{};  // that of the options, or of the run that is gone on with
  Setup run{};
};

// Where lengths vary, a timed sample is the mean of a cycle of batches.
Result<void> check_quantile(const tune::Goal& goal, const study::Axes& axes) {
  const bool of_batches = goal.latency_budget_s && tune::probability_of(goal.latency_of.value());
  if (!of_batches || axes.length_mixes.empty()) return {};
  return Error{ErrorKind::usage,
               fmt::format("with varying lengths, batchscope times the mean of many batches, not "
                           "the {} of one batch",
                           goal.latency_of.text()),
               "--latency-budget",
               "bound the mean (--latency-quantile mean), or tune at the longest: --seq-lens 128"};
}

// Sizes that ran out of memory in any run are not tried.
Result<void> leave_out_ceilings(const Program& program, bool forget, measure::Job& job) {
  auto ceilings = capacity::OomLimits::open(program.ceilings);
  if (!ceilings) return ceilings.error();
  const auto gpus = gpu::open_gpus();
  const auto& stated = job.header.plan.memory_limit_bytes;
  const auto room = [&](const std::string& device) {
    if (stated && schema::is_cpu(device)) return *stated;
    return host::memory_room(base::SystemRoot(), *gpus, device).bytes;
  };
  if (forget) capacity::forget_known(job, *ceilings);
  return capacity::leave_out_known(*ceilings, room, job);
}

Result<void> check_one_model(const measure::Job& job) {
  const auto& models = job.header.models;
  const bool alike = std::all_of(models.begin(), models.end(), [&](const schema::ModelInfo& model) {
    return model.name == models.front().name;
  });
  if (alike) return {};
  return Error{ErrorKind::usage, "a search covers one model", "--model",
               "choose one, and tune the others separately"};
}

Result<void> accept_goal(TuneSetup& setup, const schema::RunFile& recorded) {
  auto plan = tune::read_goal(recorded.header);
  if (!plan) return std::move(plan).error();
  if (auto same = check_agrees(setup.options, recorded.header); !same) return same;
  const schema::TuneSettings& asked = setup.plan.goal;
  if (auto same = check_agrees(setup.options, *recorded.header.tune, asked); !same) return same;
  if (setup.options.states("--practical")) plan->goal.practical = asked.practical;
  setup.plan = *std::move(plan);
  return {};
}

// A server that could run nothing of the grid is told before anything is measured.
Result<void> check_exports(const std::vector<tune::ExportFormat>& formats,
                           const measure::Job& job) {
  for (const tune::ExportFormat format : formats) {
    std::optional<Error> refused;
    for (const schema::RunConfig& config : job.configs) {
      const auto can = tune::check_export(format, config);
      refused = can ? std::nullopt : std::optional(can.error());
      if (can) break;
    }
    if (refused) return *refused;
  }
  return {};
}

// Short visits, and more of them: which points they are spent on is what counts.
void shorten_visits(TuneOptions& options) {
  schema::MeasurementPlan& plan = options.request.plan;
  plan.timed_over_startup = 0;
  plan.min_iterations = 3;
  if (!options.states("--budget")) plan.budget_s = kTuneBudgetS;
  plan.budget_fixed = true;
}

OwnSteps steps_of(const Program& program, TuneSetup& setup) {
  OwnSteps steps;
  steps.go_on = [&](const schema::RunFile& recorded) { return accept_goal(setup, recorded); };
  steps.begin = [&](measure::Job& job) {
    auto left = leave_out_ceilings(program, setup.options.forget_ceilings, job);
    if (!left) return left;
    tune::write_goal(setup.plan, job.header);
    return check_one_model(job);
  };
  return steps;
}

Result<TuneSetup> set_up_tune(const Program& program, TuneOptions options) {
  if (auto filled = fill_axes(options); !filled) return filled.error();
  const study::Axes& axes = options.request.axes;
  if (auto one = check_one_work(axes); !one) return one.error();
  if (auto known = check_quantile(options.plan.goal, axes); !known) return known.error();
  shorten_visits(options);
  TuneSetup setup{std::move(options)};
  setup.plan = setup.options.plan;
  auto run = set_up(program, setup.options, steps_of(program, setup));
  if (!run) return std::move(run).error();
  setup.run = *std::move(run);
  if (auto can = check_exports(setup.options.exports, setup.run.job); !can) return can.error();
  return setup;
}

}  // namespace

Result<TunedRun> tune(const Program& program, const TuneOptions& options,
                      measure::Observer* observer, tune::TuneObserver* tune_observer) {
  auto output = take_run_file(options.file);
  if (!output && !can_only_be_read(options.file)) return std::move(output).error();
  auto setup = set_up_tune(program, options);
  if (!setup) return std::move(setup).error();
  auto& recorded = setup->run.recorded;
  if (recorded && recorded->end && recorded->end->reason == schema::EndReason::blocks_done) {
    findings::Tuning tuning = reported(program, setup->plan, options.file.path, *recorded);
    return TunedRun{{*std::move(recorded), true}, std::move(tuning)};
  }
  if (!output) return std::move(output).error();
  auto run = measure_run(program, setup->run, *output, observer, [&](measure::Session& session) {
    return tune::tune(session, setup->plan, tune_observer);
  });
  if (!run) return std::move(run).error();
  TunedRun tuned{{*std::move(run), false, output->is_kept()}};
  if (!tuned.was_interrupted())
    tuned.tuning = reported(program, setup->plan, options.file.path, tuned.run);
  return tuned;
}

Result<TuneJob> tune_job(const Program& program, const TuneOptions& options) {
  TuneOptions asked = options;
  asked.forget_ceilings = false;
  auto setup = set_up_tune(program, std::move(asked));
  if (!setup) return std::move(setup).error();
  return TuneJob{std::move(setup->run.job), std::move(setup->plan)};
}

}  // namespace batchscope::api
