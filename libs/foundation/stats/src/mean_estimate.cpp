#include "batchscope/stats/mean_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "batchscope/stats/descriptive.hpp"
#include "trimming.hpp"
#include "yuen.hpp"

namespace batchscope::stats {
namespace {

MeanEstimate estimate_student(std::span<const double> values) {
  RunningMoments moments;
  for (const double value : values) moments.add(value);
  const auto n = static_cast<double>(values.size());
  return {moments.mean(), std::sqrt(moments.variance() / n), n - 1.0, values.size(),
          Method::student_t};
}

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> ascending(values.begin(), values.end());
  std::sort(ascending.begin(), ascending.end());
  return ascending;
}

MeanEstimate estimate_yuen(std::span<const double> values) {
  const PlainYuen plain = plain_yuen(sorted(values));
  const YuenCalibration calibration = yuen_calibration(values.size());
  return {plain.trimmed_mean, calibration.se_scale * plain.se, calibration.df, values.size(),
          Method::yuen_trimmed};
}

// Satterthwaite's degrees of freedom for the sum of two independent variance estimates.
double combined_df(double var_a, double df_a, double var_b, double df_b) {
  const double total = var_a + var_b;
  if (total == 0.0) return std::min(df_a, df_b);
  const double share_a = var_a / total;
  const double share_b = var_b / total;
  return 1.0 / (share_a * share_a / df_a + share_b * share_b / df_b);
}

}  // namespace

std::optional<MeanEstimate> estimate_mean(std::span<const double> values, Method method) {
  if (values.size() < 2) return std::nullopt;
  return method == Method::student_t ? estimate_student(values) : estimate_yuen(values);
}

std::optional<MeanEstimate> estimate_but_accidents(std::span<const double> values) {
  constexpr double kOneInADozen = 1.0 / 12;
  if (values.size() < 2) return std::nullopt;
  const PlainYuen plain = plain_yuen(sorted(values), kOneInADozen);
  const bool trimmed = trim_count(values.size(), kOneInADozen) > 0;
  return MeanEstimate{plain.trimmed_mean, plain.se, plain.df, values.size(),
                      trimmed ? Method::yuen_trimmed : Method::student_t};
}

std::optional<MeanEstimate> estimate_difference(std::span<const double> a,
                                                std::span<const double> b, Method method) {
  const auto of_a = estimate_mean(a, method);
  const auto of_b = estimate_mean(b, method);
  if (!of_a || !of_b) return std::nullopt;
  const double var_a = of_a->se * of_a->se;
  const double var_b = of_b->se * of_b->se;
  return MeanEstimate{of_a->value - of_b->value, std::sqrt(var_a + var_b),
                      combined_df(var_a, of_a->df, var_b, of_b->df), of_a->n + of_b->n, method};
}

std::optional<MeanInterval> mean_interval(std::span<const double> values, double level,
                                          Method method) {
  const auto estimate = estimate_mean(values, method);
  if (!estimate) return std::nullopt;
  const Interval interval = two_sided_interval(*estimate, level);
  return MeanInterval{estimate->value, interval.low, interval.high, estimate->se,
                      estimate->df,    estimate->n,  level,         estimate->method};
}

}  // namespace batchscope::stats
