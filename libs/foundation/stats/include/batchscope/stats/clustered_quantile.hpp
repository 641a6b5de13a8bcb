#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace batchscope::stats {

struct QuantileInterval {
  double value = 0.0;  // the sample quantile, definition 7 (see descriptive.hpp)
  double low = 0.0;
  double high = 0.0;
  std::size_t n = 0;
  double level = 0.95;
};

// A quantile of values that come in groups (the iterations of one process) and are alike within
// one: the quantile of all together, with an interval that takes the groups, not the values, for
// the sample. The share of values below the quantile is estimated by group, its interval by
// Student's t over groups (never narrower than independent values would have it), and the quantiles
// at both ends of that interval are the answer [Woodruff 1952]. probability and level in (0, 1).
// nullopt below 3 groups with values, below quantile_sample_size values, and where an end of the
// interval lies beyond all values: then the quantile is not to be printed either.
std::optional<QuantileInterval> clustered_quantile_interval(
    const std::vector<std::vector<double>>& groups, double probability, double level = 0.95);

}  // namespace batchscope::stats
