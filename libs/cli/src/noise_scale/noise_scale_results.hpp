#pragma once

#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "batchscope/study/noise_scale.hpp"

namespace batchscope::cli {

// One way to train, beside the noise scale: what reaching the same loss takes.
struct NoiseRow {
  int64_t samples = 0;         // of a step
  std::string words;           // "batch 8 x 4"
  double step_ms = 0;          // 0: not measured
  double steps = 0, cost = 0;  // factors: of the fewest steps, of the fewest samples
  double time = 0;             // of training to the same loss, over that of the fastest; 0: unknown
};

// Of the steps that `summary` timed, by samples a step; without any, of sizes around the scale.
// Empty where the scale is not known.
std::vector<NoiseRow> noise_rows(const study::MeasuredNoise& noise,
                                 const std::vector<findings::ConfigRow>& timed);

// What was trained, and how, in words.
struct NoiseSubject {
  std::string what;
  bool made_up = true;  // inputs without any meaning
  double level = 0.95;
};

std::string noise_text(const study::MeasuredNoise& noise, const std::vector<NoiseRow>& rows,
                       const NoiseSubject& subject);
std::string noise_json(const study::MeasuredNoise& noise, const std::vector<NoiseRow>& rows,
                       const NoiseSubject& subject);

}  // namespace batchscope::cli
