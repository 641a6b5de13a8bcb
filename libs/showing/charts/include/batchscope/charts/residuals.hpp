#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "batchscope/charts/outliers.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

// How far a size is off the law of its table.
struct Residual {
  const findings::ConfigRow* row = nullptr;  // of the summary
  findings::Estimate beyond;                 // 0.05: takes 5 % longer; as it is drawn
  std::optional<OutlierSize> outlier;
};

struct ResidualSeries {
  std::size_t group = 0;  // of the summary
  std::vector<Residual> points;
};

// Of every table with a law and sizes enough to be off it: a law of two coefficients goes through
// two sizes, and nearly through three. They point into the summary.
std::vector<ResidualSeries> residuals(const findings::Summary& summary);

}  // namespace batchscope::charts
