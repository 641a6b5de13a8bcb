#include "batchscope/study/calibrate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "batchscope/stats/rng.hpp"

namespace batchscope::study {
namespace {

schema::RunFile a_and_a(int blocks, double sd, uint64_t seed) {
  stats::Rng rng(seed);
  schema::RunFile run;
  run.configs.resize(2);
  run.configs[1].model = "the same again";
  for (int block = 0; block < blocks; ++block) {
    const double drift = 0.001 * block;  // shared by the pair: pairing must remove it
    for (int config = 0; config < 2; ++config) {
      schema::Visit visit;
      visit.config = config;
      visit.block = block;
      visit.samples_ns.assign(3, std::llround(1e7 * std::exp(drift + sd * rng.normal())));
      run.visits.push_back(visit);
    }
  }
  return run;
}

TEST(MachineNoise, IsTheSpreadOfOneVisitWhateverTheDrift) {
  const auto noise = machine_noise(a_and_a(2000, 0.03, 7));
  ASSERT_TRUE(noise);
  EXPECT_EQ(noise->pairs, 2000);
  EXPECT_NEAR(noise->visit_sd, 0.03, 0.002);
  EXPECT_NEAR(noise->difference.value, 1.0, 0.005);
}

TEST(MachineNoise, NeedsSixPairs) {
  EXPECT_FALSE(machine_noise(a_and_a(5, 0.03, 7)));
  EXPECT_TRUE(machine_noise(a_and_a(6, 0.03, 7)));
}

TEST(DetectionLimits, ANoisierMachineShowsOnlyLargerExcesses) {
  const auto quiet = detection_limits(0.005, 30, 11);
  const auto noisy = detection_limits(0.04, 30, 11);
  ASSERT_TRUE(quiet && noisy);
  ASSERT_TRUE(quiet->smallest && noisy->smallest);
  EXPECT_LT(*quiet->smallest, *noisy->smallest);
  EXPECT_GT(*quiet->smallest, 0.03) << "what does not matter (3 %) is never claimed";
}

}  // namespace
}  // namespace batchscope::study
