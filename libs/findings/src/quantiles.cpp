#include "batchscope/findings/summary.hpp"
#include "batchscope/stats/descriptive.hpp"

namespace batchscope::findings {
namespace {

struct Known {
  const std::optional<Estimate>& vouched;
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

std::optional<Estimate> told_quantile(const Distribution& distribution, Quantile quantile) {
  const auto [vouched, probability] = known(distribution, quantile);
  if (vouched) return vouched;
  if (distribution.samples_ms.empty()) return std::nullopt;
  return Estimate{stats::sorted_quantile(distribution.samples_ms, probability), std::nullopt};
}

}  // namespace batchscope::findings
