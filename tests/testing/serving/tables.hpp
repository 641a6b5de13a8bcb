#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/serving/cost_table.hpp"

namespace batchscope::serving {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// t = a b + t0 without scatter, seconds.
inline CostTable affine_table(double a, double t0, const std::vector<int64_t>& sizes) {
  auto points = base::mapped(sizes, [&](int64_t b) {
    return CostPoint{.batch_size = b, .times_s = {a * static_cast<double>(b) + t0}};
  });
  return *CostTable::from_points(std::move(points), "affine");
}

inline double length_law(int64_t batch_size, int64_t tokens) {
  return 0.004 + 0.0002 * static_cast<double>(batch_size * tokens);
}

inline CostTable length_table(const std::vector<int64_t>& sizes,
                              const std::vector<int64_t>& lengths) {
  std::vector<CostPoint> points;
  for (const int64_t b : sizes) {
    for (const int64_t s : lengths) {
      points.push_back({.batch_size = b, .seq_len = s, .times_s = {length_law(b, s)}});
    }
  }
  return *CostTable::from_points(std::move(points), "lengths");
}

}  // namespace batchscope::serving
