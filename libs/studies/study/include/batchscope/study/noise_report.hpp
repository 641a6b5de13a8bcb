#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "batchscope/study/noise_scale.hpp"

namespace batchscope::study {

// One way to train, beside the noise scale: what reaching the same loss takes.
struct NoiseRow {
  int64_t samples = 0;         // of a step
  std::string words;           // "batch 8 x 4"
  double step_ms = 0;          // 0: not measured
  double steps = 0, cost = 0;  // factors: of the fewest steps, of the fewest samples
  double time = 0;             // of training to the same loss, over that of the fastest; 0: unknown
};

struct NoiseReport {
  MeasuredNoise noise;
  // Of the steps that the run timed, by samples a step; without a run, of sizes around the scale.
  // Empty where the scale is not known.
  std::vector<NoiseRow> rows;
  std::string what;     // what was trained, and how, in words
  bool made_up = true;  // inputs without any meaning
  double level = 0.95;
};

// Whether the steps determine the scale.
bool is_known(const MeasuredNoise& noise);
// NoiseReport::rows; `timed`: what the run timed.
std::vector<NoiseRow> noise_rows(const MeasuredNoise& noise,
                                 const std::vector<findings::ConfigRow>& timed);

}  // namespace batchscope::study
