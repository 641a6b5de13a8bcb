#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "batchscope/stats/law.hpp"
#include "knowledge.hpp"

namespace batchscope::tune {

// What is believed of the ln time (s) of a point, measured or not.
struct Belief {
  double mean = 0;
  double sd = 0;  // of the point itself, without the noise of a visit
};

// The law that fits the lane which most is known of; absent below two sizes.
struct ShapeLaw {
  std::size_t lane = 0;
  stats::Law law;
  std::vector<std::size_t> points;  // it was fitted to, ascending
  std::vector<double> loo_errors;   // of each; empty below three
};
std::optional<ShapeLaw> fit_shape(const Knowledge& known);

// The beliefs of all points of the grid: the shape law, plus a Gaussian process (Rasmussen and
// Williams 2006, algorithm 2.1) on what it leaves over ln batch size, ln threads, ln instances and
// the other settings. Its kernel has a part that a setting shifts all sizes by, a smooth one, and
// one that knows a size's close neighbours only; how large each is, is chosen among a few values by
// the marginal likelihood with a prior. At least one point was measured.
std::vector<Belief> believe(const Knowledge& known, const std::optional<ShapeLaw>& shape);

}  // namespace batchscope::tune
