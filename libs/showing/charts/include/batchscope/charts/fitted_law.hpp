#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::charts {

// Off its law by less than this, a size is no anomaly whatever the tests say (method.md, section
// 3).
inline constexpr double kTolerance = 0.03;
std::string tolerance_words();  // "±3.0 %"

// The time of an iteration by the group's law, ms; nothing without a law that can be computed.
std::function<double(double)> time_by_law(const findings::Group& group);

// How far the time of a row is off the law, over that; nothing without a law.
std::optional<findings::Estimate> law_residual(const findings::Group& group,
                                               const findings::ConfigRow& row);

// Batch sizes between the smallest and the largest measured, close enough to draw a law through.
std::vector<double> sizes_along(const findings::Group& group);

}  // namespace batchscope::charts
