#include "reported_spread.hpp"

#include <cmath>

namespace batchscope::tables {

std::optional<stats::MeanEstimate> reported_mean(const ConfigData& config) {
  if (config.visits.size() != 1) return std::nullopt;
  const schema::Visit& visit = *config.visits.front().visit;
  const int64_t repeats = visit.reported_repeats.value_or(0);
  if (!visit.reported_std_ns || repeats < 2) return std::nullopt;
  const auto n = static_cast<double>(repeats);
  stats::MeanEstimate mean;
  mean.value = timing::typical_ns(config.visits.front());
  mean.se = static_cast<double>(*visit.reported_std_ns) / std::sqrt(n);
  mean.df = n - 1;
  mean.n = static_cast<std::size_t>(repeats);
  mean.method = stats::Method::student_t;
  return mean;
}

std::optional<stats::MeanEstimate> reported_contrast(const ConfigData& base,
                                                     const ConfigData& other) {
  const auto a = reported_mean(base), b = reported_mean(other);
  if (!a || !b) return std::nullopt;
  const double of_a = std::pow(a->se / a->value, 2), of_b = std::pow(b->se / b->value, 2);
  stats::MeanEstimate contrast;
  contrast.value = std::log(b->value / a->value);
  contrast.se = std::sqrt(of_a + of_b);
  const double weighted = of_a * of_a / a->df + of_b * of_b / b->df;
  contrast.df = weighted > 0 ? std::pow(of_a + of_b, 2) / weighted : a->df + b->df;
  contrast.n = a->n + b->n;
  contrast.method = stats::Method::student_t;
  return contrast;
}

}  // namespace batchscope::tables
