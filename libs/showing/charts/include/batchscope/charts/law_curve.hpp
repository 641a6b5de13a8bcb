#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batchscope/charts/chart_subjects.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

// The law of a table in what a subject counts, and how far off it a size may lie and be no anomaly.
struct LawCurve {
  struct Point {
    double size = 0, value = 0;
    double low = 0, high = 0;  // of the tolerance
  };
  std::string name;
  std::string band;  // "±3.0 %"; empty: none
  std::vector<Point> points;
};

// Of a table alone: of several, the lines would only hide the points. Nothing without a law, and
// below three sizes.
std::optional<LawCurve> law_curve(const ChartSubject& subject,
                                  const std::vector<findings::Group>& groups);

}  // namespace batchscope::charts
