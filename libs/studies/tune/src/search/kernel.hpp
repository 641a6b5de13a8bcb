#pragma once

#include <cstddef>
#include <vector>

#include "batchscope/schema/run_config.hpp"

namespace batchscope::tune {

// Standard deviations of the parts of a kernel, ln units.
struct Amplitudes {
  double setting = 0.3;  // by which a setting shifts all batch sizes
  double smooth = 0.15;  // what varies over octaves of the batch size
  double local = 0.03;   // what a batch size shares with close ones only
};

// Where the points of a grid lie to one another: correlations of 0 to 1 of each part.
class Geometry {
 public:
  explicit Geometry(const std::vector<schema::RunConfig>& grid);

  struct Parts {
    double setting = 1, smooth = 1, local = 1;
  };
  Parts parts(std::size_t a, std::size_t b) const;
  static double covariance(const Parts& parts, const Amplitudes& amplitudes);

 private:
  struct Place {
    double log_batch = 0;
    std::vector<double> log_counts;  // octaves of the threads, and of other axes that count
    std::vector<int> kinds;          // engine, precision; last everything else together
  };
  std::vector<Place> places_;
};

}  // namespace batchscope::tune
