#include "batchscope/study/noise_scale.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "batchscope/engine/abilities.hpp"
#include "testing/engines/stub_engine.hpp"

namespace batchscope::study {
namespace {

using testing::HasSubstr;

class NoBatch final : public engine::Batch {};

// Gradients of one dimension, N(1, 3^2) a sample: a noise scale of 9.
class NoisyModel final : public engine::ModelWith<engine::TellsLosses, engine::ShowsGradients> {
 public:
  explicit NoisyModel(const engine::ExecutionSpec& execution) : execution_(execution) {}
  base::Result<std::unique_ptr<engine::Batch>> prepare(const schema::Shape& shape) override {
    batch_size_ = static_cast<double>(shape.batch_size);
    return std::unique_ptr<engine::Batch>(std::make_unique<NoBatch>());
  }
  base::Result<void> run(engine::Batch&, engine::PhaseSink&) override { return {}; }
  base::Result<void> wait(engine::PhaseSink&) override { return {}; }
  void reset_memory_peaks() override {}
  schema::Memory memory() const override { return {}; }
  std::optional<double> last_loss() const override { return 10.0 / static_cast<double>(draws_); }
  base::Result<engine::GradientNorms> step_with_norms(engine::Batch&, uint64_t draw) override {
    EXPECT_EQ(draw, draws_++) << "samples of its own each step";
    engine::GradientNorms norms;
    double mean = 0;
    for (int64_t i = 0; i < execution_.accumulation; ++i) {
      std::normal_distribution<double> of_batch(1, 3 / std::sqrt(batch_size_));
      const double gradient = of_batch(random_);
      norms.small_squared += gradient * gradient / static_cast<double>(execution_.accumulation);
      mean += gradient / static_cast<double>(execution_.accumulation);
    }
    norms.large_squared = mean * mean;
    return norms;
  }

 private:
  engine::ExecutionSpec execution_;
  std::mt19937_64 random_{5};
  double batch_size_ = 1;
  uint64_t draws_ = 0;
};

class NoisyEngine final : public engine::StubEngine {
 public:
  base::Result<std::unique_ptr<engine::Model>> load(
      const engine::ModelSpec&, const engine::ExecutionSpec& execution) override {
    return std::unique_ptr<engine::Model>(std::make_unique<NoisyModel>(execution));
  }
};

NoiseRequest request(int steps) {
  NoiseRequest request;
  request.shape.batch_size = 4;
  request.execution.accumulation = 8;
  request.steps = steps;
  return request;
}

TEST(MeasureNoise, FindsTheScaleOfKnownGradients) {
  NoisyEngine engine;
  const auto noise = measure_noise(engine, request(1000));
  ASSERT_TRUE(noise) << base::to_string(noise.error());
  ASSERT_TRUE(noise->scale.low && noise->scale.high);
  EXPECT_LT(*noise->scale.low, 9);
  EXPECT_GT(*noise->scale.high, 9);
  EXPECT_EQ(noise->small, 4);
  EXPECT_EQ(noise->large, 32);
  EXPECT_EQ(noise->first_loss, 10);
  EXPECT_EQ(noise->last_loss, 0.01);
}

TEST(MeasureNoise, NeedsSteps) {
  NoisyEngine engine;
  EXPECT_EQ(measure_noise(engine, request(5)).error().where, "--steps");
}

TEST(MeasureNoise, StopsWhenAskedTo) {
  NoisyEngine engine;
  NoiseRequest stopped = request(1000);
  int left = 3;
  stopped.stop = [&] { return left-- == 0; };
  const auto noise = measure_noise(engine, stopped);
  ASSERT_FALSE(noise);
  EXPECT_EQ(noise.error().kind, base::ErrorKind::interrupted);
  EXPECT_THAT(noise.error().what, HasSubstr("after 3 steps"));
}

TEST(Factors, AreTwoAtTheScale) {
  EXPECT_EQ(steps_factor(32, 32), 2);
  EXPECT_EQ(samples_factor(32, 32), 2);
  EXPECT_EQ(steps_factor(32, 8), 5);
  EXPECT_EQ(samples_factor(32, 8), 1.25);
}

}  // namespace
}  // namespace batchscope::study
