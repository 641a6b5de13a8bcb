#include "batchscope/host/fitness.hpp"

#include <algorithm>

namespace batchscope::host {
namespace {

void assess_steal(const FitnessSnapshot& before, const FitnessSnapshot& after,
                  schema::Fitness& fitness) {
  if (!before.steal_ns || !after.steal_ns || !before.total_ns || !after.total_ns) return;
  const int64_t total = *after.total_ns - *before.total_ns;
  if (total <= 0) return;
  // Clamped: the kernel now and then corrects the counter downwards.
  const int64_t stolen = std::max<int64_t>(*after.steal_ns - *before.steal_ns, 0);
  fitness.steal_ratio = static_cast<double>(stolen) / static_cast<double>(total);
}

void assess_others(const FitnessSnapshot& before, const FitnessSnapshot& after,
                   base::Nanoseconds elapsed, schema::Fitness& fitness) {
  if (!before.busy_ns || !after.busy_ns) return;
  const int64_t others = *after.busy_ns - *before.busy_ns - (after.own_ns - before.own_ns);
  const double load = static_cast<double>(others) / static_cast<double>(elapsed.count());
  fitness.others_load = std::max(load, 0.0);
}

void assess_throttling(const FitnessSnapshot& before, const FitnessSnapshot& after,
                       schema::Fitness& fitness) {
  if (!before.throttling || !after.throttling) return;
  const int64_t time = after.throttling->throttled_ns - before.throttling->throttled_ns;
  fitness.throttled_ns = std::max<int64_t>(time, 0);
}

void assess_clock(const gpu::Gpu& under_load, schema::Fitness& fitness) {
  const auto now = under_load.sm_clock_hertz, usual = under_load.usual_sm_clock_hertz;
  if (now && usual && *usual > 0) fitness.clock_ratio = *now / *usual;
}

}  // namespace

schema::Fitness assess_fitness(const FitnessSnapshot& before, const FitnessSnapshot& after,
                               base::Nanoseconds elapsed) {
  schema::Fitness fitness;
  if (elapsed.count() > 0) {
    assess_steal(before, after, fitness);
    assess_others(before, after, elapsed, fitness);
  }
  assess_throttling(before, after, fitness);
  return fitness;
}

void add_gpu_fitness(schema::Fitness& fitness, const gpu::Gpu& under_load, int64_t own_processes) {
  assess_clock(under_load, fitness);
  if (!under_load.compute_processes) return;
  fitness.other_gpu_processes = std::max<int64_t>(*under_load.compute_processes - own_processes, 0);
}

}  // namespace batchscope::host
