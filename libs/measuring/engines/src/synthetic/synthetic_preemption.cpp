#include "synthetic_preemption.hpp"

namespace batchscope::engines {
namespace {

constexpr uint64_t kStream = 0x80;  // of the run's seed, apart from those of the noise

uint64_t seed_of(const engine::VisitContext& context, int repeat) {
  uint64_t seed = stats::mix_seed(context.seed, kStream + static_cast<uint64_t>(context.instance));
  seed = stats::mix_seed(seed, static_cast<uint64_t>(context.number));
  return stats::mix_seed(seed, static_cast<uint64_t>(repeat));
}

}  // namespace

Preemption::Preemption(const PreemptionSpec& spec, const engine::VisitContext& context, int repeat)
    : spec_(spec), rng_(seed_of(context, repeat)), left_ns_(spec.slice_ns * rng_.uniform()) {}

double Preemption::wait_ns(double running_ns) {
  if (spec_.slice_ns <= 0) return 0;
  double wait = 0;
  left_ns_ -= running_ns;
  while (left_ns_ <= 0) {
    left_ns_ += spec_.slice_ns;
    if (rng_.uniform() < spec_.probability) wait += spec_.others * spec_.slice_ns;
  }
  return wait;
}

}  // namespace batchscope::engines
