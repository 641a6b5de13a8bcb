#include "executors.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/engine/description.hpp"
#include "batchscope/engine/input_text.hpp"
#include "batchscope/engines/interpreted_engine.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "batchscope/host/machine.hpp"
#include "batchscope/host/memory_limiter.hpp"
#include "batchscope/loading/sample_files.hpp"
#include "batchscope/measure/in_process_executor.hpp"
#include "batchscope/measure/inspect.hpp"
#include "batchscope/measure/process_executor.hpp"
#include "batchscope/measure/trial.hpp"
#include "batchscope/study/inspected_engine.hpp"

namespace batchscope::api {

namespace {

using Inputs = base::Result<std::vector<engine::InputSpec>>;

std::string line_of(const std::vector<engine::InputSpec>& inputs, const engine::ModelSpec& spec,
                    bool by_call) {
  const auto words =
      base::mapped(inputs, [](const engine::InputSpec& input) { return engine::describe(input); });
  const std::string file = std::filesystem::path(spec.path).filename().string();
  return fmt::format(
      "inputs: {}; {}; --input overrides", fmt::join(words, ", "),
      by_call ? "inferred from " + file + " and a trial call" : "as " + file + " says");
}

measure::ProcessOptions worker_options(const Program& program,
                                       const schema::MeasurementPlan& plan) {
  measure::ProcessOptions options;
  options.worker_argv = {program.worker, "worker"};
  for (const engine::EngineDescription& each : engine::own_engines()) {
    if (!each.interpreted) continue;
    options.workers_of[each.name] = engines::worker_of(program.interpreter, program.places);
  }
  options.timeout_ns = static_cast<int64_t>(plan.timeout_s * 1e9);
  options.memory_limit_bytes = plan.memory_limit_bytes;
  options.places = program.places;
  return options;
}

// An interpreter that is asked about a model has the memory of one that measures it.
engines::Confine within(std::optional<int64_t> bytes) {
  if (!bytes) return {};
  return [bytes](base::ChildSpec& spec) {
    auto limiter = std::make_shared<host::MemoryLimiter>(
        host::MemoryLimiter::create(base::SystemRoot(), *bytes));
    limiter->confine(spec);
    return limiter;
  };
}

}  // namespace

schema::Machine this_machine() {
  const auto gpus = gpu::open_gpus();
  return host::read_machine(base::SystemRoot(), *gpus);
}

std::unique_ptr<measure::VisitExecutor> make_executor(const Program& program,
                                                      const schema::MeasurementPlan& plan,
                                                      measure::FitnessProbe* fitness,
                                                      const host::CpuList& cpus) {
  if (plan.isolation == schema::Isolation::none) {
    const auto load = [&program](std::string_view name) { return load_engine(program, name); };
    return measure::make_in_process_executor(load, measure::ModelReuse::keep, fitness);
  }
  measure::ProcessOptions options = worker_options(program, plan);
  options.one_process_a_block = plan.isolation == schema::Isolation::block;
  options.fitness = fitness;
  options.cpus = cpus;
  return measure::make_process_executor(std::move(options));
}

void tidy_up() {
  loading::remove_orphaned_samples();
  host::remove_orphaned_groups(base::SystemRoot());
}

base::Result<std::unique_ptr<engine::Engine>> load_to_inspect(const Program& program,
                                                              const schema::MeasurementPlan& plan,
                                                              std::string_view name) {
  const auto named = engine::find_description(name, program.places);
  if (named && named->interpreted) {
    return engines::make_interpreted_engine(program.interpreter, within(plan.memory_limit_bytes));
  }
  auto engine = load_engine(program, name);
  if (!engine || program.worker.empty()) return engine;
  if (engine::describe(**engine, program.places).virtual_time) return engine;  // it has no files
  const auto inspect = [options = worker_options(program, plan), stop = program.stop](
                           const std::string& of, const engine::ModelSpec& model) {
    return measure::inspect_in_worker(options, of, model, stop);
  };
  return study::inspected_by(inspect, *std::move(engine));
}

study::InputsOf inputs_finder(const Program& program) {
  return [&program](engine::Engine& engine, const engine::ModelSpec& spec) -> Inputs {
    auto inputs = engine.inputs_of(spec);
    if (!inputs || !program.tell) return inputs;
    const bool by_call = engine::describe(engine, program.places).calls_for_inputs;
    program.tell(line_of(*inputs, spec, by_call));
    return inputs;
  };
}

base::Result<void> try_models(const Program& program, const measure::Job& job) {
  schema::MeasurementPlan plan = job.header.plan;
  if (program.worker.empty() && plan.isolation != schema::Isolation::none) {
    return base::Error{base::ErrorKind::usage, "no program given to start as a worker",
                       "--isolation", "name one, or measure in this process: none"};
  }
  if (!program.worker.empty()) plan.isolation = schema::Isolation::config;
  const auto executor = make_executor(program, plan, nullptr);
  return measure::try_models(job, *executor, program.stop);
}

}  // namespace batchscope::api
