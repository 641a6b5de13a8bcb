#include "gain.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/tables/estimates.hpp"
#include "batchscope/timing/evidence.hpp"

namespace batchscope::analyze {
namespace {

using tables::exp_estimate;
using tables::less_one;

std::optional<int> blocks_for(const stats::MeanEstimate& seen, double level, double practical) {
  const double half = stats::two_sided_interval(seen, level).half_width();
  const double matters = std::log1p(practical);
  // To show it, or that nothing that matters is there.
  const double gain = seen.value > 0 ? std::max(seen.value, matters) : matters - seen.value;
  return timing::blocks_that_would_tell(seen.n, half, gain);
}

}  // namespace

Gain gain_of(std::span<const double> logs, std::size_t candidates, const Options& options) {
  Gain gain;
  const auto tests = static_cast<double>(std::max<std::size_t>(candidates, 1));
  gain.level = 1 - (1 - options.level) / tests;
  gain.estimate = less_one(exp_estimate(logs, gain.level, stats::Method::student_t));
  const auto& interval = gain.estimate.ci;
  bool told_apart = true;
  if (gain.estimate.value < options.practical) {
    const bool told = !interval || interval->low > 0 || interval->high < options.practical;
    told_apart = told;
    gain.verdict = told || gain.estimate.value <= 0 ? GainVerdict::too_small : GainVerdict::open;
  } else if (interval && interval->low <= 0) {
    gain.verdict = GainVerdict::open;
  }
  if (gain.verdict == GainVerdict::open || !told_apart) {
    const auto seen = stats::estimate_mean(logs, stats::Method::student_t);
    gain.blocks_needed = blocks_for(*seen, gain.level, options.practical);
  }
  return gain;
}

}  // namespace batchscope::analyze
