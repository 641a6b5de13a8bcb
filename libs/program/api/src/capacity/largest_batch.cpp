#include "batchscope/api/largest_batch.hpp"

#include <algorithm>
#include <utility>

#include "batchscope/base/system_root.hpp"
#include "batchscope/host/available_memory.hpp"
#include "batchscope/measure/process_executor.hpp"
#include "measuring/executors.hpp"
#include "measuring/measured_run.hpp"
#include "measuring/resuming.hpp"
#include "measuring/run_file.hpp"

namespace batchscope::api {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr double kSearchBudgetS = 3600;

// What one search works with.
struct SearchSetup {
  LargestBatchOptions options;
  schema::MaxBatchSettings plan{};
  LoadedEngines engines{};
  measure::Job job{};
  schema::RunFile run{};  // new, or as recorded
};

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

Result<void> set_limit(const study::Axes& axes, schema::MaxBatchSettings& plan,
                       schema::MeasurementPlan& of_run) {
  if (axes.devices.size() != 1) {
    return Error{ErrorKind::usage, "each device has separate memory", "--device", "choose one"};
  }
  const std::string& name = axes.devices.front();
  const auto gpus = gpu::open_gpus();
  const auto room = host::memory_room(base::SystemRoot(), *gpus, name);
  if (!room.held && of_run.memory_limit_bytes) {
    return Error{ErrorKind::usage, "limits host memory, but a batch uses the memory of " + name,
                 "--memory-limit", "omit it: the limit is the memory of the device"};
  }
  plan.machine_bytes = room.bytes;
  plan.limit_bytes = of_run.memory_limit_bytes.value_or(room.bytes);
  plan.limit_of = of_run.memory_limit_bytes ? "--memory-limit" : room.of;
  plan.limit_held = room.held && plan.limit_bytes > 0;
  if (!plan.limit_held) return {};
  of_run.memory_limit_bytes = plan.limit_bytes;
  of_run.memory_limit_kind =
      measure::choose_memory_limit(base::SystemRoot(), plan.limit_bytes).kind;
  return {};
}

// What was stated is what the run was begun with.
Result<void> check_same_plan(const LargestBatchOptions& options,
                             const schema::MaxBatchSettings& asked,
                             const schema::MaxBatchSettings& begun) {
  if (options.states("--memory-limit") && asked.limit_bytes != begun.limit_bytes) {
    return Error{ErrorKind::usage, "the run has another value", "--memory-limit",
                 "omit it, or search into a new file"};
  }
  return check_agrees(options, begun, asked);
}

Result<void> accept_search_plan(SearchSetup& setup, const schema::RunFile& recorded) {
  auto plan = capacity::read_max_batch_plan(recorded.header);
  if (!plan) return std::move(plan).error();
  if (auto same = check_same_plan(setup.options, setup.plan, *plan); !same) return same;
  setup.plan = *std::move(plan);
  return {};
}

// Of a new run, or of the one that is gone on with.
void take_run(SearchSetup& setup, Setup done) {
  setup.engines = std::move(done.engines);
  setup.job = std::move(done.job);
  if (!done.recorded) {
    setup.run.header = setup.job.header;
    setup.run.configs = setup.job.configs;
    return;
  }
  setup.run = *std::move(done.recorded);
  // More time is what an interrupted search may be given.
  if (setup.options.states("--budget")) {
    setup.run.header.plan.budget_s = setup.options.request.plan.budget_s;
  }
}

Result<SearchSetup> set_up_search(const Program& program, LargestBatchOptions options) {
  study::ProfileRequest& request = options.request;
  request.axes.batch_sizes = {1};
  take_the_longest(request.axes);
  if (!options.states("--budget")) request.plan.budget_s = kSearchBudgetS;
  request.plan.budget_fixed = true;
  SearchSetup setup{std::move(options)};
  setup.plan = setup.options.plan;
  schema::MeasurementPlan& of_run = setup.options.request.plan;
  auto limit = set_limit(setup.options.request.axes, setup.plan, of_run);
  if (!limit) return limit.error();
  OwnSteps steps;
  steps.go_on = [&](const schema::RunFile& recorded) {
    return accept_search_plan(setup, recorded);
  };
  steps.begin = [&](measure::Job& job) {
    capacity::write_max_batch_plan(setup.plan, job.header);
    return Result<void>();
  };
  auto done = set_up(program, setup.options, steps);
  if (!done) return std::move(done).error();
  take_run(setup, *std::move(done));
  return setup;
}

Result<capacity::OomLimits> open_ceilings(const Program& program, const SearchSetup& setup) {
  auto ceilings = capacity::OomLimits::open(program.ceilings);
  if (!ceilings || !setup.options.forget_ceilings) return ceilings;
  for (const schema::RunConfig& config : setup.run.configs) {
    const auto forgotten = ceilings->forget(capacity::ceiling_key(setup.run.header, config));
    if (!forgotten) return forgotten.error();
  }
  return ceilings;
}

Result<void> search(const Program& program, SearchSetup& setup, measure::RunOutput& output,
                    capacity::MaxBatchObserver* observer) {
  if (program.before_measuring) program.before_measuring();
  if (setup.run.probes.empty()) {
    if (auto tried = try_models(program, setup.job); !tried) return tried;
  }
  auto ceilings = open_ceilings(program, setup);
  if (!ceilings) return std::move(ceilings).error();
  auto opened = output.sink(setup.run.report.valid_bytes);
  if (!opened) return std::move(opened).error();
  const auto sink = *std::move(opened);
  const auto executor = [&](std::optional<int64_t> limit_bytes, double timeout_s) {
    schema::MeasurementPlan plan = setup.run.header.plan;
    plan.memory_limit_bytes = limit_bytes;
    plan.timeout_s = timeout_s;
    return make_executor(program, plan, nullptr);
  };
  const auto kills = [] { return host::read_oom_kills(base::SystemRoot()); };
  const capacity::MaxBatchCollaborators with{executor, *sink,    *ceilings,
                                             kills,    observer, program.stop};
  auto done = capacity::find_max_batches(setup.job, setup.plan, with, setup.run);
  output.keep(setup.run);
  return done;
}

}  // namespace

Result<LargestBatch> largest_batch(const Program& program, const LargestBatchOptions& options,
                                   capacity::MaxBatchObserver* observer) {
  auto output = take_run_file(options.file);
  if (!output && !can_only_be_read(options.file)) return std::move(output).error();
  auto setup = set_up_search(program, options);
  if (!setup) return std::move(setup).error();
  const auto& end = setup->run.end;
  if (end && end->reason == schema::EndReason::search_done) {
    return LargestBatch{{std::move(setup->run), true}, std::move(setup->plan)};
  }
  if (!output) return std::move(output).error();
  if (auto done = search(program, *setup, *output, observer); !done) return done.error();
  const bool kept = output->is_kept();
  return LargestBatch{{std::move(setup->run), false, kept}, std::move(setup->plan)};
}

}  // namespace batchscope::api
