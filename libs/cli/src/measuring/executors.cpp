#include "executors.hpp"

#include "batchscope/device/gpu_monitor.hpp"
#include "batchscope/device/machine.hpp"
#include "batchscope/device/memory_limiter.hpp"
#include "batchscope/loading/sample_files.hpp"
#include "batchscope/measure/in_process_executor.hpp"
#include "batchscope/measure/process_executor.hpp"
#include "batchscope/measure/trial.hpp"
#include "places.hpp"

namespace batchscope::cli {

schema::Machine this_machine() {
  const auto gpus = device::open_gpu_monitor();
  return device::read_machine(base::SystemRoot(), *gpus);
}

std::unique_ptr<measure::VisitExecutor> make_executor(const schema::MeasurementPlan& plan,
                                                      measure::FitnessProbe* fitness,
                                                      const device::CpuList& cpus) {
  if (plan.isolation == schema::Isolation::none) {
    return measure::make_in_process_executor(load_engine, measure::ModelReuse::keep, fitness);
  }
  measure::ProcessOptions options;
  options.worker_argv = {own_program(), "worker"};
  options.one_process_a_block = plan.isolation == schema::Isolation::block;
  options.timeout_ns = static_cast<int64_t>(plan.timeout_s * 1e9);
  options.memory_limit_bytes = plan.memory_limit_bytes;
  options.fitness = fitness;
  options.places = own_places();
  options.cpus = cpus;
  return measure::make_process_executor(std::move(options));
}

void tidy_up() {
  loading::remove_orphaned_samples();
  device::remove_orphaned_groups(base::SystemRoot());
}

base::Result<void> try_models(const measure::Job& job, const std::stop_token& stop) {
  schema::MeasurementPlan plan = job.header.plan;
  plan.isolation = schema::Isolation::config;
  const auto executor = make_executor(plan, nullptr);
  return measure::try_models(job, *executor, stop);
}

}  // namespace batchscope::cli
