#include "synthetic_noise.hpp"

#include <algorithm>
#include <cmath>

namespace batchscope::engines {
namespace {

// Sub-streams of the run's seed; far from each other, so that no two effects share draws.
enum class Stream : uint64_t {
  process = 0x10,
  visit = 0x20,
  burst = 0x30,
  run = 0x40,
  modes = 0x50,
  tail = 0x60,
  autocorrelation = 0x70,
  slow_processes = 0x80,
  settling = 0x90,
  uneven = 0xa0
};

// Instances that run at once are processes of their own, each with its own noise; the first has
// that of one alone.
uint64_t own_seed(const engine::VisitContext& context) {
  if (context.instance == 0) return context.seed;
  return stats::mix_seed(context.seed, ~static_cast<uint64_t>(context.instance));
}

uint64_t stream_seed(uint64_t seed, Stream stream, int64_t number) {
  return stats::mix_seed(stats::mix_seed(seed, static_cast<uint64_t>(stream)),
                         static_cast<uint64_t>(number));
}

// A function of the visit's number alone, so that processes that know nothing of each other agree.
bool in_burst(const SyntheticSpec& spec, const engine::VisitContext& context) {
  if (spec.burst_probability <= 0) return false;
  const int64_t first = std::max<int64_t>(0, context.number - spec.burst_visits + 1);
  for (int64_t start = first; start <= context.number; ++start) {
    stats::Rng rng(stream_seed(context.seed, Stream::burst, start));
    if (rng.uniform() < spec.burst_probability) return true;
  }
  return false;
}

double run_effect(const SyntheticSpec& spec, uint64_t seed) {
  if (spec.run_sd <= 0) return 0;
  stats::Rng rng(stream_seed(seed, Stream::run, 0));
  return spec.run_sd * rng.normal();
}

// Of the modes that hold at this batch size, or of those that hold at any.
double modes_effect(const SyntheticSpec& spec, const engine::VisitContext& context,
                    std::optional<int64_t> batch_size) {
  double effect = 0;
  for (std::size_t i = 0; i < spec.modes.size(); ++i) {
    const ModesSpec& modes = spec.modes[i];
    if (modes.batch_size != batch_size) continue;
    const uint64_t process = stream_seed(own_seed(context), Stream::modes, context.process);
    stats::Rng rng(stats::mix_seed(process, i));
    if (rng.uniform() < modes.share) effect += std::log(modes.factor);
  }
  return effect;
}

// What a normal draw is divided by to be one of Student's t: sqrt(chi^2 / degrees).
double tail_divisor(const SyntheticSpec& spec, const engine::VisitContext& context, int repeat) {
  const auto degrees = static_cast<int>(spec.visit_df);
  if (degrees < 1) return 1;
  stats::Rng rng(stats::mix_seed(stream_seed(own_seed(context), Stream::tail, context.number),
                                 static_cast<uint64_t>(repeat)));
  double sum = 0;
  for (int i = 0; i < degrees; ++i) sum += std::pow(rng.normal(), 2);
  return std::sqrt(sum / degrees);
}

// A function of the visit's number alone: from the visit on whose share in this one is negligible.
double autocorrelated_effect(const SyntheticSpec& spec, const engine::VisitContext& context) {
  const auto [sd, rho] = spec.autocorrelation;
  if (sd <= 0) return 0;
  constexpr double kNegligible = 1e-9;
  const double memory = rho > 0 ? std::log(kNegligible) / std::log(rho) : 0;
  const auto first = std::max<int64_t>(0, context.number - static_cast<int64_t>(memory));
  double value = 0;
  for (int64_t number = first; number <= context.number; ++number) {
    stats::Rng rng(stream_seed(context.seed, Stream::autocorrelation, number));
    const double innovation = number == first ? 1 : std::sqrt(1 - rho * rho);
    value = rho * value + innovation * rng.normal();
  }
  return sd * value;
}

double order_effect(const SyntheticSpec& spec, const engine::VisitContext& context) {
  double effect = autocorrelated_effect(spec, context);
  if (in_burst(spec, context)) effect += std::log(spec.burst_factor);
  for (const auto& [visit, factor] : spec.steps) {
    if (context.number >= visit) effect += std::log(factor);
  }
  const auto left_over = spec.carry_over.find(context.previous_batch_size);
  return left_over == spec.carry_over.end() ? effect : effect + std::log(left_over->second);
}

SlowStartSpec slow_start_at(const SyntheticSpec& spec, int64_t batch_size) {
  auto found = spec.slow_start.find(batch_size);
  if (found == spec.slow_start.end()) found = spec.slow_start.find(0);
  return found == spec.slow_start.end() ? SlowStartSpec{} : found->second;
}

double slow_start(const SlowStartSpec& spec, int index) {
  if (spec.iterations < 1) return 1;
  if (spec.decays)
    return 1 + (spec.factor - 1) * std::exp(-index / static_cast<double>(spec.iterations));
  return index < spec.iterations ? spec.factor : 1;
}

}  // namespace

double process_effect(const SyntheticSpec& spec, const engine::VisitContext& context) {
  stats::Rng rng(stream_seed(own_seed(context), Stream::process, context.process));
  return spec.process_sd * rng.normal() + run_effect(spec, context.seed) +
         modes_effect(spec, context, std::nullopt);
}

VisitNoise::VisitNoise(const SyntheticSpec& spec, const engine::VisitContext& context,
                       int64_t batch_size, double process, int repeat)
    : spec_(spec),
      rng_(stats::mix_seed(stream_seed(own_seed(context), Stream::visit, context.number),
                           static_cast<uint64_t>(repeat))),
      visit_(process + modes_effect(spec, context, batch_size) + order_effect(spec, context)),
      slow_start_(slow_start_at(spec, batch_size)),
      iteration_sd_(spec.iteration_sd) {
  visit_ += spec.visit_sd * rng_.normal() / tail_divisor(spec, context, repeat);
  if (rng_.uniform() < spec.spike_probability) visit_ += std::log(spec.spike_factor);
  stats::Rng slow(stream_seed(own_seed(context), Stream::slow_processes, context.process));
  has_slow_iterations_ = spec.slow_processes >= 1 || slow.uniform() < spec.slow_processes;
  stats::Rng uneven(stream_seed(own_seed(context), Stream::uneven, context.process));
  iteration_sd_ *= std::exp(spec.uneven_sd * uneven.normal());
  stats::Rng settling(stream_seed(own_seed(context), Stream::settling, context.process));
  settled_after_ns_ = spec.settling.after_ns * std::exp(spec.settling.sd * settling.normal());
}

double VisitNoise::slow_now(int index) {
  if (!has_slow_iterations_) return 1;
  double slow = 1;
  for (const auto& [every, factor] : spec_.slow_iteration) {
    if ((index + 1) % every == 0) slow *= factor;
  }
  const auto [probability, factor] = spec_.slow_at_random;
  if (probability > 0 && rng_.uniform() < probability) slow *= factor;
  return slow;
}

double VisitNoise::factor(int index, int64_t now_ns) {
  constexpr double kNanosecondsAnHour = 3.6e12;
  const double drift = spec_.drift_per_hour * static_cast<double>(now_ns) / kNanosecondsAnHour;
  double slow = 1 + std::ldexp(spec_.warmup_excess, -std::min(index, 1000));
  slow *= slow_start(slow_start_, index);
  slow *= slow_now(index);
  if (!began_ns_) began_ns_ = now_ns;
  if (static_cast<double>(now_ns - *began_ns_) < settled_after_ns_) slow *= spec_.settling.factor;
  return slow * std::exp(visit_ + drift + iteration_sd_ * rng_.normal());
}

}  // namespace batchscope::engines
