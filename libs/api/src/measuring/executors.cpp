#include "executors.hpp"

#include "batchscope/device/gpu_monitor.hpp"
#include "batchscope/device/machine.hpp"
#include "batchscope/device/memory_limiter.hpp"
#include "batchscope/loading/sample_files.hpp"
#include "batchscope/measure/in_process_executor.hpp"
#include "batchscope/measure/process_executor.hpp"
#include "batchscope/measure/trial.hpp"

namespace batchscope::api {

schema::Machine this_machine() {
  const auto gpus = device::open_gpu_monitor();
  return device::read_machine(base::SystemRoot(), *gpus);
}

std::unique_ptr<measure::VisitExecutor> make_executor(const Program& program,
                                                      const schema::MeasurementPlan& plan,
                                                      measure::FitnessProbe* fitness,
                                                      const device::CpuList& cpus) {
  if (plan.isolation == schema::Isolation::none) {
    const auto load = [&program](std::string_view name) { return load_engine(program, name); };
    return measure::make_in_process_executor(load, measure::ModelReuse::keep, fitness);
  }
  measure::ProcessOptions options;
  options.worker_argv = {program.worker, "worker"};
  options.one_process_a_block = plan.isolation == schema::Isolation::block;
  options.timeout_ns = static_cast<int64_t>(plan.timeout_s * 1e9);
  options.memory_limit_bytes = plan.memory_limit_bytes;
  options.fitness = fitness;
  options.places = program.places;
  options.cpus = cpus;
  return measure::make_process_executor(std::move(options));
}

void tidy_up() {
  loading::remove_orphaned_samples();
  device::remove_orphaned_groups(base::SystemRoot());
}

base::Result<void> try_models(const Program& program, const measure::Job& job) {
  schema::MeasurementPlan plan = job.header.plan;
  if (program.worker.empty() && plan.isolation != schema::Isolation::none) {
    return base::Error{base::ErrorKind::usage,
                       "no program is named that could be started as a worker",
                       base::Subject::isolation, "name one, or measure in this process: none"};
  }
  if (!program.worker.empty()) plan.isolation = schema::Isolation::config;
  const auto executor = make_executor(program, plan, nullptr);
  return measure::try_models(job, *executor, program.stop);
}

}  // namespace batchscope::api
