#include "batchscope/charts/box_window.hpp"

#include <algorithm>

namespace batchscope::charts {
namespace {

using findings::ConfigRow;
using findings::Group;

constexpr double kLeastBoxSpan = 0.02;  // of the axis, relative

}  // namespace

ValueAxis BoxWindow::axis() const {
  ValueAxis values;
  values.include(low);
  values.include(high);
  return values;
}

bool has_spread(const ConfigRow& row) {
  return row.n_iterations > 1 && row.distribution.median_ms > 0;
}

double box_divisor(const ConfigRow& row, BoxScale scale) {
  if (scale == BoxScale::median) return row.distribution.median_ms;
  return static_cast<double>(row.config.shape.batch_size);
}

BoxWindow box_window(const std::vector<Group>& groups, BoxScale scale) {
  BoxWindow whiskers, all;
  for (const Group& group : groups) {
    for (const ConfigRow& row : group.rows) {
      if (!has_spread(row)) continue;
      const findings::Distribution& d = row.distribution;
      const double unit = box_divisor(row, scale);
      whiskers.low = std::min(whiskers.low, std::min(d.whisker_low_ms, d.q1_ms) / unit);
      whiskers.high = std::max(whiskers.high, std::max(d.whisker_high_ms, d.q3_ms) / unit);
      all.low = std::min(all.low, d.min_ms / unit);
      all.high = std::max(all.high, d.max_ms / unit);
    }
  }
  if (whiskers.empty()) return whiskers;
  const double span = std::max(whiskers.high - whiskers.low, kLeastBoxSpan * whiskers.high);
  return {std::max(all.low, whiskers.low - span), std::min(all.high, whiskers.high + span)};
}

BoxScale box_scale(const std::vector<Group>& groups) {
  const bool logarithmic = box_window(groups, BoxScale::sample).axis().logarithmic();
  return logarithmic ? BoxScale::median : BoxScale::sample;
}

const char* box_title(BoxScale scale) {
  return scale == BoxScale::sample ? "Spread of single iterations, per sample"
                                   : "Spread of single iterations around their median";
}

const char* box_axis_title(BoxScale scale) {
  return scale == BoxScale::sample ? "time of an iteration / batch size (ms)"
                                   : "time / median of the configuration (ratio)";
}

}  // namespace batchscope::charts
