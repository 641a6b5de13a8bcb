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

std::optional<int> blocks_for(const stats::MeanEstimate& seen, double level, double practical) {
  const double half = stats::two_sided_interval(seen, level).half_width();
  const double matters = std::log1p(practical);
  // To show it, or that nothing that matters is there.
  const double gain = seen.value > 0 ? std::max(seen.value, matters) : matters - seen.value;
  return timing::blocks_that_would_tell(seen.n, half, gain);
}

// From no gain, or from one that matters; a single number is taken as it is.
bool is_told_apart(const findings::Estimate& estimate, double practical) {
  const auto& interval = estimate.ci;
  return !interval || interval->low > 0 || interval->high < practical;
}

GainVerdict verdict_of(const findings::Estimate& estimate, double practical) {
  const bool matters = estimate.value >= practical;
  if (is_told_apart(estimate, practical)) {
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
  gain.needs_longer_visits =
      gain.verdict == GainVerdict::open &&
      verdict_of(less_one(seen_alone), options.practical) != GainVerdict::open;
  if (!is_told_apart(gain.estimate, options.practical)) {
    const auto seen = stats::estimate_mean(contrast.logs, stats::Method::student_t);
    gain.blocks_needed = blocks_for(*seen, gain.level, options.practical);
  }
  return gain;
}

}  // namespace batchscope::analyze
