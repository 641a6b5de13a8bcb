#include "falling.hpp"

#include <cmath>
#include <vector>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/mean_estimate.hpp"
#include "batchscope/stats/warmup.hpp"
#include "batchscope/timing/warmups.hpp"

namespace batchscope::timing {
namespace {

constexpr std::size_t kFewestInHalf = 3;

double median_of(std::span<const int64_t> samples) {
  return stats::median(std::vector<double>(samples.begin(), samples.end()));
}

}  // namespace

double may_fall_by(std::span<const SteadyVisit> visits) {
  constexpr double kAlpha = 0.01;
  constexpr double kLeast = 0.005;
  // What dies away by a sixth from one half to the other has three to six times as far to go; what
  // dies away faster than by a half, less than twice.
  constexpr double kToGo = 3;
  std::vector<double> falls;
  for (const SteadyVisit& visit : visits) {
    if (!shows_iterations(*visit.visit)) continue;
    for (const auto samples : visit.series) {
      const std::size_t half = samples.size() / 2;
      if (half < kFewestInHalf) continue;
      falls.push_back(std::log(median_of(samples.first(half)) / median_of(samples.last(half))));
    }
  }
  if (falls.size() < stats::kFewestToTest) return 0;
  const auto fall = stats::estimate_mean(falls, stats::Method::student_t);
  const bool falls_on = fall && fall->value > kLeast && stats::p_greater(*fall) < kAlpha;
  return falls_on ? kToGo * fall->value : 0;
}

}  // namespace batchscope::timing
