#include "gain.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/tables/estimates.hpp"
#include "batchscope/timing/evidence.hpp"

namespace batchscope::analyze {
namespace {

using tables::allowing_for;
using tables::exp_estimate;
using tables::less_one;

// More blocks narrow the interval, and not the allowance for what visits of this length miss.
std::optional<int> blocks_for(const stats::MeanEstimate& seen, const timing::Unseen& unseen,
                              double level, double practical) {
  const double half = stats::two_sided_interval(seen, level).half_width();
  const double matters = std::log1p(practical);
  // To show it, or that nothing that matters is there.
  const double gain = seen.value > 0 ? std::max(seen.value, matters) - unseen.shorter
                                     : matters - seen.value - unseen.longer;
  if (gain <= 0) return std::nullopt;
  const auto needed = timing::blocks_that_would_tell(seen.n, half, gain);
  // A few more than there were tell no more than those did, and below six nothing is proven.
  const int half_as_many_again = static_cast<int>(seen.n + (seen.n + 1) / 2);
  if (!needed) return std::nullopt;
  return std::max({*needed, timing::kPairsToProve, half_as_many_again});
}

// From no gain, or from one that matters; a single number is taken as it is.
bool is_distinguished(const findings::Estimate& estimate, double practical) {
  const auto& interval = estimate.ci;
  return !interval || interval->low > 0 || interval->high < practical;
}

GainVerdict verdict_of(const findings::Estimate& estimate, double practical) {
  const bool matters = estimate.value >= practical;
  if (is_distinguished(estimate, practical)) {
    return matters ? GainVerdict::shown : GainVerdict::too_small;
  }
  return matters || estimate.value > 0 ? GainVerdict::open : GainVerdict::too_small;
}

}  // namespace

Gain gain_of(const RateContrast& contrast, std::size_t candidates, const Options& options) {
  Gain gain;
  const auto tests = static_cast<double>(std::max<std::size_t>(candidates, 1));
  gain.level = 1 - (1 - options.level) / tests;
  const auto seen_alone = exp_estimate(contrast.logs, gain.level, stats::Method::student_t);
  gain.estimate = less_one(allowing_for(contrast.unseen, seen_alone));
  gain.verdict = verdict_of(gain.estimate, options.practical);
  // Of however many blocks, and of these blocks if they had missed nothing.
  const findings::Estimate in_the_end{seen_alone.value,
                                      stats::Interval{seen_alone.value, seen_alone.value}};
  const auto is_open = [&](const findings::Estimate& ratio) {
    return verdict_of(less_one(ratio), options.practical) == GainVerdict::open;
  };
  gain.needs_longer_visits =
      gain.verdict == GainVerdict::open &&
      (!is_open(seen_alone) || is_open(allowing_for(contrast.unseen, in_the_end)));
  if (!is_distinguished(gain.estimate, options.practical)) {
    const auto seen = stats::estimate_mean(contrast.logs, stats::Method::student_t);
    gain.blocks_needed = blocks_for(*seen, contrast.unseen, gain.level, options.practical);
  }
  return gain;
}

}  // namespace batchscope::analyze
