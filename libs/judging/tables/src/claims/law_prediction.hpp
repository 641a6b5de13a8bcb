#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "batchscope/tables/test_options.hpp"

namespace batchscope::tables {

// Sets of sizes: indices into a table's columns, as bits; at most kMaxSizes.
using SizeSet = uint32_t;
inline bool holds(SizeSet set, std::size_t index) {
  return ((set >> index) & 1u) != 0;
}

// What a law fitted to some sizes says of one. The gradient is d ln prediction / d ln t_i with the
// weights of the fit held: it sums to 1, so that a block's common factor cancels in
// ln t_target - sum of gradient_i ln t_i.
struct LawPrediction {
  double log_time = 0;
  std::array<double, kMaxSizes> gradient{};
};

// The observed curve: ascending sizes and their times in any unit, all > 0, at most kMaxSizes.
struct Curve {
  std::span<const double> sizes;
  std::span<const double> times;
};

// How the time of one batch may grow with its size x where nothing is odd.
enum class CurveLaw {
  affine,      // a + b x
  staircase,   // a + b ceil(x / q)
  roofline,    // max(launch, a + b x, c x)
  cache_step,  // a + b x (1 + r S): samples cost up to r more once they leave a cache; S rises from
               // 0 to 1 around some size, over an octave or more
};

// Fits the law to the sizes in `fitted` by relative least squares (the sum of (1 - f(x)/t)^2,
// coefficients >= 0) and reads it off at `target`, which may be one of them. nullopt where the
// sizes do not determine it. Two segments are no such law: what they explain is a change of regime,
// which departure.hpp tells from an odd size by other means.
std::optional<LawPrediction> predict(CurveLaw law, const Curve& curve, SizeSet fitted,
                                     std::size_t target);

}  // namespace batchscope::tables
