#pragma once

#include "law_prediction.hpp"

namespace batchscope::tables {

// max(launch, a + b x, c x), every way to cut the sizes into these branches tried, one size enough
// for a branch.
std::optional<LawPrediction> predict_roofline(const Curve& curve, SizeSet fitted,
                                              std::size_t target);

}  // namespace batchscope::tables
