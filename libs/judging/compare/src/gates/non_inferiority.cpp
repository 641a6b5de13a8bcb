#include "non_inferiority.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "batchscope/stats/multiplicity.hpp"
#include "batchscope/stats/power.hpp"

namespace batchscope::compare {
namespace {

using stats::MeanEstimate;
using tables::TestOptions;

constexpr double kPower80 = 0.84;  // the standard normal's 80 % quantile

std::array<MeanEstimate, 2> moved(MeanEstimate a, MeanEstimate b, double by) {
  a.value += by;
  b.value += by;
  return {a, b};
}

// What has to show that it is over: one pair of visits in a dozen that a neighbour hit hides no
// slow-down. Whatever the visits have not seen is taken to make it shorter.
std::array<MeanEstimate, 2> for_over(const LogRatio& ratio) {
  return moved(*ratio.but_accidents, *ratio.trimmed, -ratio.unseen.shorter);
}

// What has to show that it is within: a process in a dozen that is far slower is not passed. What
// the visits have not seen is taken to make it longer.
std::array<MeanEstimate, 2> for_within(const LogRatio& ratio) {
  return moved(*ratio.plain, *ratio.trimmed, ratio.unseen.longer);
}

std::array<const LogRatio*, 2> ratios(const Open& open) {
  return {&open.typical, &open.mean};
}

double p_over(const LogRatio& ratio, double limit) {
  const auto [most, trimmed] = for_over(ratio);
  return std::max(stats::p_greater(most, limit), stats::p_greater(trimmed, limit));
}

// The lower of both bounds.
double at_least(const LogRatio& ratio, double alpha) {
  const auto [most, trimmed] = for_over(ratio);
  return std::min(stats::lower_bound(most, 1 - alpha), stats::lower_bound(trimmed, 1 - alpha));
}

// As far beyond the limit as the estimate that needs it most.
template <class Beyond>
double farthest(const LogRatio& ratio, double limit, const Beyond& beyond) {
  const auto [most, trimmed] = for_over(ratio);
  return limit + ratio.unseen.shorter + std::max({0.0, beyond(most), beyond(trimmed)});
}

// The estimate from which on both would have been over the limit.
double smallest_shown(const LogRatio& ratio, double limit, double alpha) {
  return farthest(ratio, limit, [alpha](const MeanEstimate& each) {
    return each.value - stats::lower_bound(each, 1 - alpha);
  });
}

// The truth that is called over the limit in at least 4 of 5 experiments of such scatter: both
// means have to show it, so that either may miss it in one of ten.
double detectable(const LogRatio& ratio, double limit, double alpha) {
  return farthest(ratio, limit, [alpha](const MeanEstimate& each) {
    return stats::smallest_detectable(each, alpha, 0.9);
  });
}

double growth_until_clear(const MeanEstimate& each, double limit, double reach) {
  return std::pow((reach + kPower80 * each.se) / std::abs(each.value - limit), 2);
}

// Until both means of the contrast show it to be over.
std::optional<double> growth_until_over(const LogRatio& ratio, double limit, double alpha) {
  double growth = 1;
  for (const MeanEstimate& each : for_over(ratio)) {
    if (each.value <= limit) return std::nullopt;
    const double reach = each.value - stats::lower_bound(each, 1 - alpha);
    growth = std::max(growth, growth_until_clear(each, limit, reach));
  }
  return growth;
}

// Until all show it to be within.
std::optional<double> growth_until_within(const Open& open, double limit, double level) {
  double growth = 1;
  for (const LogRatio* ratio : ratios(open)) {
    for (const MeanEstimate& each : for_within(*ratio)) {
      if (each.value >= limit) return std::nullopt;
      const double reach = stats::upper_bound(each, level) - each.value;
      growth = std::max(growth, growth_until_clear(each, limit, reach));
    }
  }
  return growth;
}

struct OfRatios {
  std::array<double, 2> alpha;
  std::array<bool, 2> over;
  double first_alpha = 0;  // that one alone has to reach, where nothing else is slower
};

std::optional<double> growth_of(const Open& open, double limit, const OfRatios& tested,
                                double level) {
  std::optional<double> least = growth_until_within(open, limit, level);
  for (std::size_t r = 0; r < 2; ++r) {
    const auto growth = growth_until_over(*ratios(open)[r], limit, tested.alpha[r]);
    if (growth && (!least || *growth < *least)) least = growth;
  }
  return least;
}

// By all four estimates.
void fill_bounds(const Open& open, double limit, double level, SlowdownTest& test) {
  test.at_most = -INFINITY;
  test.at_best = INFINITY;
  for (const LogRatio* ratio : ratios(open)) {
    for (const MeanEstimate& each : for_within(*ratio)) {
      test.at_most = std::max(test.at_most, stats::upper_bound(each, level));
      const double both_ways = ratio->unseen.longer + ratio->unseen.shorter;
      test.at_best = std::min(test.at_best, stats::lower_bound(each, level) - both_ways);
    }
  }
  test.is_within = test.at_most < limit;
}

void fill_what_would_show(const Open& open, double limit, const OfRatios& tested,
                          SlowdownTest& test) {
  test.smallest_shown = test.detectable = INFINITY;
  for (std::size_t r = 0; r < 2; ++r) {
    const LogRatio& ratio = *ratios(open)[r];
    test.smallest_shown =
        std::min(test.smallest_shown, smallest_shown(ratio, limit, tested.alpha[r]));
    test.detectable = std::min(test.detectable, detectable(ratio, limit, tested.first_alpha));
  }
}

double typical_to_mean(const Open& open) {
  return open.mean.plain->value - open.typical.plain->value;
}

// Which the outcome rests on: the one that is over, else the slower one.
std::size_t telling(const Open& open, const OfRatios& tested) {
  if (tested.over[0] != tested.over[1]) return tested.over[1] ? 1 : 0;
  return typical_to_mean(open) > findings::kMeanWorthShowing ? 1 : 0;
}

void fill_telling(const Open& open, const OfRatios& tested, SlowdownTest& test) {
  const std::size_t r = telling(open, tested);
  test.value = ratios(open)[r]->estimate->value;
  test.at_least = at_least(*ratios(open)[r], tested.alpha[r]);
  test.by_mean = r == 1 && std::abs(typical_to_mean(open)) > findings::kMeanWorthShowing;
}

SlowdownTest test_of(const Open& open, double limit, const OfRatios& tested,
                     const TestOptions& options) {
  SlowdownTest test;
  test.is_over = tested.over[0] || tested.over[1];
  fill_bounds(open, limit, options.level, test);
  fill_what_would_show(open, limit, tested, test);
  fill_telling(open, tested, test);
  test.growth = growth_of(open, limit, tested, options.level);
  return test;
}

}  // namespace

std::vector<SlowdownTest> test_slowdowns(std::span<const Open* const> tested, double margin,
                                         const TestOptions& options) {
  const double limit = std::log1p(margin);
  std::vector<double> p_values;
  for (const Open* open : tested) {
    for (const LogRatio* ratio : ratios(*open)) p_values.push_back(p_over(*ratio, limit));
  }
  const auto verdicts = stats::holm(p_values, 1 - options.level);
  std::vector<SlowdownTest> tests;
  for (std::size_t i = 0; i < tested.size(); ++i) {
    const auto &typical = verdicts[2 * i], &mean = verdicts[2 * i + 1];
    const OfRatios found{{typical.alpha, mean.alpha},
                         {typical.rejected, mean.rejected},
                         (1 - options.level) / static_cast<double>(p_values.size())};
    tests.push_back(test_of(*tested[i], limit, found, options));
  }
  return tests;
}

}  // namespace batchscope::compare
