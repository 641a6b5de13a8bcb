#include "synthetic_noise.hpp"

#include <algorithm>
#include <cmath>

namespace batchscope::engine {
namespace {

// Sub-streams of the run's seed; far from each other, so that no two effects share draws.
enum class Stream : uint64_t { process = 0x10, visit = 0x20, burst = 0x30 };

// Instances that run at once are processes of their own, each with its own noise; the first has
// that of one alone.
uint64_t own_seed(const VisitContext& context) {
  if (context.instance == 0) return context.seed;
  return stats::mix_seed(context.seed, ~static_cast<uint64_t>(context.instance));
}

uint64_t stream_seed(uint64_t seed, Stream stream, int64_t number) {
  return stats::mix_seed(stats::mix_seed(seed, static_cast<uint64_t>(stream)),
                         static_cast<uint64_t>(number));
}

// A function of the visit's number alone, so that processes that know nothing of each other agree.
bool in_burst(const SyntheticSpec& spec, const VisitContext& context) {
  if (spec.burst_probability <= 0) return false;
  const int64_t first = std::max<int64_t>(0, context.number - spec.burst_visits + 1);
  for (int64_t start = first; start <= context.number; ++start) {
    stats::Rng rng(stream_seed(context.seed, Stream::burst, start));
    if (rng.uniform() < spec.burst_probability) return true;
  }
  return false;
}

}  // namespace

double process_effect(const SyntheticSpec& spec, const VisitContext& context) {
  stats::Rng rng(stream_seed(own_seed(context), Stream::process, context.process));
  return spec.process_sd * rng.normal();
}

VisitNoise::VisitNoise(const SyntheticSpec& spec, const VisitContext& context, double process,
                       int repeat)
    : spec_(spec),
      rng_(stats::mix_seed(stream_seed(own_seed(context), Stream::visit, context.number),
                           static_cast<uint64_t>(repeat))),
      visit_(process) {
  visit_ += spec.visit_sd * rng_.normal();
  if (rng_.uniform() < spec.spike_probability) visit_ += std::log(spec.spike_factor);
  if (in_burst(spec, context)) visit_ += std::log(spec.burst_factor);
}

double VisitNoise::factor(int index, int64_t now_ns) {
  constexpr double kNanosecondsAnHour = 3.6e12;
  const double drift = spec_.drift_per_hour * static_cast<double>(now_ns) / kNanosecondsAnHour;
  const double warmup = 1 + std::ldexp(spec_.warmup_excess, -std::min(index, 1000));
  return warmup * std::exp(visit_ + drift + spec_.iteration_sd * rng_.normal());
}

}  // namespace batchscope::engine
