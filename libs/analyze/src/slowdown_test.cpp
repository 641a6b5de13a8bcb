#include "slowdown_test.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "batchscope/stats/multiplicity.hpp"

namespace batchscope::analyze {
namespace {

using stats::MeanEstimate;

constexpr double kPower80 = 0.84;  // the standard normal's 80 % quantile

std::array<MeanEstimate, 2> both(const Open& open) {
  return {*open.plain, *open.trimmed};
}

std::optional<double> growth_of(const Open& open, double margin, double alpha, double level) {
  if ((open.plain->value > margin) != (open.trimmed->value > margin)) return std::nullopt;
  double growth = 1;
  for (const MeanEstimate& each : both(open)) {
    const double gap = std::abs(each.value - margin);
    if (gap == 0) return std::nullopt;
    const double reach = each.value > margin ? each.value - stats::lower_bound(each, 1 - alpha)
                                             : stats::upper_bound(each, level) - each.value;
    growth = std::max(growth, std::pow((reach + kPower80 * each.se) / gap, 2));
  }
  return growth;
}

}  // namespace

std::vector<SlowdownTest> test_slowdowns(std::span<const Open* const> tested, double margin,
                                         const Options& options) {
  const double limit = std::log1p(margin);
  std::vector<double> p_values;
  for (const Open* open : tested) {
    p_values.push_back(
        std::max(stats::p_greater(*open->plain, limit), stats::p_greater(*open->trimmed, limit)));
  }
  const auto verdicts = stats::holm(p_values, 1 - options.level);
  std::vector<SlowdownTest> tests;
  for (std::size_t i = 0; i < tested.size(); ++i) {
    SlowdownTest test{verdicts[i].rejected, true, INFINITY, -INFINITY, limit, std::nullopt};
    for (const MeanEstimate& each : both(*tested[i])) {
      const double low = stats::lower_bound(each, 1 - verdicts[i].alpha);
      const double high = stats::upper_bound(each, options.level);
      test.is_within &= high < limit;
      test.at_least = std::min(test.at_least, low);
      test.at_most = std::max(test.at_most, high);
      test.smallest_shown = std::max(test.smallest_shown, limit + each.value - low);
    }
    test.growth = growth_of(*tested[i], limit, verdicts[i].alpha, options.level);
    tests.push_back(test);
  }
  return tests;
}

}  // namespace batchscope::analyze
