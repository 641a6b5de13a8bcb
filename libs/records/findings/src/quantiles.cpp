#include "batchscope/findings/summary.hpp"
#include "batchscope/stats/descriptive.hpp"

namespace batchscope::findings {
namespace {

struct Known {
  const std::optional<Estimate>& supported;
  double probability;
};

Known known(const Distribution& distribution, Quantile quantile) {
  switch (quantile) {
    case Quantile::p50:
      return {distribution.p50_ms, 0.5};
    case Quantile::p90:
      return {distribution.p90_ms, 0.9};
    case Quantile::p95:
      return {distribution.p95_ms, 0.95};
    case Quantile::p99:
      break;
  }
  return {distribution.p99_ms, 0.99};
}

}  // namespace

std::optional<Estimate> reported_quantile(const Distribution& distribution, Quantile quantile) {
  const auto [supported, probability] = known(distribution, quantile);
  if (supported) return supported;
  const std::vector<double>& samples = distribution.samples_ms;
  if (samples.size() < 2) return std::nullopt;
  const bool alike = distribution.weights.size() != samples.size();
  return Estimate{alike ? stats::sorted_quantile(samples, probability)
                        : stats::weighted_quantile(samples, distribution.weights, probability),
                  std::nullopt};
}

}  // namespace batchscope::findings
