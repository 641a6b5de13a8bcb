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
  return timing::blocks_that_would_tell(seen.n, half, std::max(seen.value, std::log1p(practical)));
}

}  // namespace

Gain gain_of(std::span<const double> logs, std::size_t candidates, const Options& options) {
  Gain gain;
  const auto tests = static_cast<double>(std::max<std::size_t>(candidates, 1));
  gain.level = 1 - (1 - options.level) / tests;
  gain.estimate = less_one(exp_estimate(logs, gain.level, stats::Method::student_t));
  const auto& interval = gain.estimate.ci;
  if (gain.estimate.value < options.practical) {
    const bool told = !interval || interval->low > 0 || interval->high < options.practical;
    gain.verdict = told || gain.estimate.value <= 0 ? GainVerdict::too_small : GainVerdict::open;
  } else if (interval && interval->low <= 0) {
    gain.verdict = GainVerdict::open;
  }
  if (gain.verdict == GainVerdict::open) {
    const auto seen = stats::estimate_mean(logs, stats::Method::student_t);
    gain.blocks_needed = blocks_for(*seen, gain.level, options.practical);
  }
  return gain;
}

}  // namespace batchscope::analyze
