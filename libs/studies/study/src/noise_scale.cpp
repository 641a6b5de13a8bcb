#include "batchscope/study/noise_scale.hpp"

#include <fmt/format.h>

#include "batchscope/base/counted.hpp"
#include "batchscope/engine/abilities.hpp"

namespace batchscope::study {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr double kDecay = 0.99;

struct Watched {
  std::vector<stats::SquaredNorms> steps;
  double first_loss = 0, last_loss = 0;
};

Result<Watched> train(engine::Model& model, const NoiseRequest& request) {
  const auto gradients = engine::require<engine::ShowsGradients>(model);
  if (!gradients) return gradients.error();
  const auto* const losses = model.as<engine::TellsLosses>();
  auto batch = model.prepare(request.shape);
  if (!batch) return std::move(batch).error();
  Watched watched;
  for (int step = 0; step < request.steps; ++step) {
    if (request.stop && request.stop()) {
      return Error{ErrorKind::interrupted, "stopped after " + base::counted(step, "step"), "", ""};
    }
    const auto norms = (*gradients)->step_with_norms(**batch, static_cast<uint64_t>(step));
    if (!norms) return norms.error();
    watched.steps.push_back({norms->small_squared, norms->large_squared});
    if (losses != nullptr) watched.last_loss = losses->last_loss().value_or(0);
    if (step == 0) watched.first_loss = watched.last_loss;
  }
  return watched;
}

}  // namespace

Result<MeasuredNoise> measure_noise(engine::Engine& engine, const NoiseRequest& request) {
  auto model = engine.load(request.model, request.execution);
  if (!model) return std::move(model).error();
  const auto watched = train(**model, request);
  if (!watched) return watched.error();
  MeasuredNoise noise;
  noise.small = request.shape.batch_size;
  noise.large = noise.small * request.execution.accumulation;
  noise.first_loss = watched->first_loss;
  noise.last_loss = watched->last_loss;
  const auto scale = stats::noise_scale(watched->steps, static_cast<double>(noise.small),
                                        static_cast<double>(noise.large), kDecay, request.level);
  if (!scale) {
    return Error{ErrorKind::usage, fmt::format("{} steps are too few", request.steps), "--steps",
                 "use at least 10, better 200"};
  }
  noise.scale = *scale;
  return noise;
}

double steps_factor(double noise_scale, double batch) {
  return 1 + noise_scale / batch;
}

double samples_factor(double noise_scale, double batch) {
  return 1 + batch / noise_scale;
}

}  // namespace batchscope::study
