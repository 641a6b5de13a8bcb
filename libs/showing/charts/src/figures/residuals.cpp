#include "batchscope/charts/residuals.hpp"

#include "batchscope/charts/fitted_law.hpp"
#include "batchscope/charts/intervals.hpp"

namespace batchscope::charts {
namespace {

using findings::ConfigRow;
using findings::Group;

constexpr std::size_t kFewestForResiduals = 4;

std::vector<Residual> residuals_of(const findings::Summary& summary, const Group& group) {
  const std::vector<OutlierSize> notable = outliers(summary, group);
  std::vector<Residual> points;
  for (const ConfigRow& row : group.rows) {
    const auto beyond = law_residual(group, row);
    if (!beyond) return {};
    const OutlierSize* const found = outlier_at(notable, row.config.shape.batch_size);
    points.push_back(
        {&row, supported(row, *beyond), found == nullptr ? std::nullopt : std::optional(*found)});
  }
  return points;
}

}  // namespace

std::vector<ResidualSeries> residuals(const findings::Summary& summary) {
  std::vector<ResidualSeries> all;
  for (std::size_t g = 0; g < summary.groups.size(); ++g) {
    if (summary.groups[g].rows.size() < kFewestForResiduals) continue;
    std::vector<Residual> points = residuals_of(summary, summary.groups[g]);
    if (!points.empty()) all.push_back({g, std::move(points)});
  }
  return all;
}

}  // namespace batchscope::charts
