#pragma once

#include <vector>

#include "batchscope/api/noise_scale.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::api {

// NoiseReport::rows; `timed`: what the run timed.
std::vector<NoiseRow> noise_rows(const study::MeasuredNoise& noise,
                                 const std::vector<findings::ConfigRow>& timed);

}  // namespace batchscope::api
