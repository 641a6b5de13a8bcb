#pragma once

#include <cstdint>
#include <functional>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/stats/noise_scale.hpp"

namespace batchscope::study {

// Training that is watched for the noise of its gradients. A step takes execution.accumulation
// batches of shape.batch_size samples: the smaller batch and, all together, the larger one.
struct NoiseRequest {
  engine::ModelSpec model;
  engine::ExecutionSpec execution;  // mode train, accumulation 2 or more
  schema::Shape shape;
  int steps = 200;
  double level = 0.95;
  std::function<bool()> stop{};  // asked before each step; may be empty
};

struct MeasuredNoise {
  stats::NoiseScale scale;
  int64_t small = 0, large = 0;  // samples
  double first_loss = 0, last_loss = 0;
};

// Trains in this process. Errors: those of loading and of Model::step_with_norms; usage (too few
// steps); interrupted.
base::Result<MeasuredNoise> measure_noise(engine::Engine& engine, const NoiseRequest& request);

// To reach the same loss with steps of `batch` samples: how many times the steps of boundless
// batches, and how many times the samples of the smallest ones [McCandlish et al. 2018, eq. 2.11].
double steps_factor(double noise_scale, double batch);
double samples_factor(double noise_scale, double batch);

}  // namespace batchscope::study
