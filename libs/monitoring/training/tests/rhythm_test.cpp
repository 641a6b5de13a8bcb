// Loops some of whose steps take longer at equal distances, with noise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "batchscope/stats/rng.hpp"
#include "batchscope/training/step_watch.hpp"

namespace batchscope::training {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// All that is ever told of slow steps, of so many steps of 100 ms with 1 % noise.
std::vector<std::string> reported_of(int64_t steps, uint64_t seed,
                                     const std::function<double(int64_t, stats::Rng&)>& extra) {
  stats::Rng rng(seed);
  StepWatch watch;
  int64_t now_ns = 0;
  for (int64_t i = 1; i <= steps; ++i) {
    telemetry::TrainingStep step;
    step.step = i;
    step.seconds = 0.1 * std::exp(0.01 * rng.normal()) + extra(i, rng);
    step.time_ns = now_ns += static_cast<int64_t>(step.seconds * 1e9);
    watch.add(step);
  }
  std::vector<std::string> reported;
  for (const auto& one : watch.all()) reported.push_back(one.finding.what);
  return reported;
}

class EqualSteps : public testing::TestWithParam<int64_t> {};

// More of them than are remembered.
TEST_P(EqualSteps, HaveTheirPeriodHoweverManyThereAre) {
  const int64_t every = GetParam();
  for (const double noise : {0.01, 0.1}) {
    const auto reported = reported_of(4000, 11, [&](int64_t i, stats::Rng& rng) {
      return i % every == 0 ? 0.15 * std::exp(noise * rng.normal()) : 0.0;
    });
    EXPECT_THAT(reported,
                ElementsAre(HasSubstr("One of every " + std::to_string(every) + " steps takes")))
        << noise;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, EqualSteps, testing::Values(4, 8, 10, 16, 20, 50, 100));

TEST(Rhythms, OneOfTwiceTheCostAtAMultipleIsDistinguished) {
  const auto reported = reported_of(3000, 12, [](int64_t i, stats::Rng& rng) {
    const double noise = std::exp(0.03 * rng.normal());
    return i % 100 == 0 ? 0.2 * noise : i % 20 == 0 ? 0.1 * noise : 0.0;
  });
  EXPECT_THAT(reported, UnorderedElementsAre(HasSubstr("One of every 20 steps takes 99."),
                                             HasSubstr("One of every 100 steps takes 20")));
}

TEST(Rhythms, TwoOfOnePeriodAreBothReported) {
  const auto reported = reported_of(3000, 16, [](int64_t i, stats::Rng& rng) {
    const double noise = std::exp(0.1 * rng.normal());
    return i % 100 == 0 ? 2.0 * noise : i % 100 == 1 ? 0.3 * noise : 0.0;
  });
  EXPECT_THAT(reported, testing::IsSupersetOf({HasSubstr("One of every 100 steps takes 2."),
                                               HasSubstr("One of every 100 steps takes 3")}));
}

TEST(Rhythms, ThreeAtOnceAreReported) {
  const auto reported = reported_of(24'000, 17, [](int64_t i, stats::Rng& rng) {
    const double noise = std::exp(0.1 * rng.normal());
    return noise * (i % 2000 == 0 ? 20.0 : i % 500 == 0 ? 4.0 : i % 10 == 0 ? 0.1 : 0.0);
  });
  EXPECT_THAT(reported, testing::IsSupersetOf({HasSubstr("One of every 10 steps"),
                                               HasSubstr("One of every 500 steps"),
                                               HasSubstr("One of every 2000 steps")}));
}

TEST(Rhythms, AFewVeryLongOnesAreNoPartOfOne) {
  const auto reported = reported_of(2600, 14, [](int64_t i, stats::Rng&) {
    return i % 1000 == 0 ? 60.0 : i % 25 == 0 ? 0.4 : 0.0;
  });
  EXPECT_THAT(reported, testing::Contains(HasSubstr("One of every 25 steps takes 400 ms longer")));
}

TEST(Rhythms, ThatStoppedAreNotReportedAtAMultiple) {
  const auto reported = reported_of(
      3000, 15, [](int64_t i, stats::Rng&) { return i <= 1500 && i % 100 == 0 ? 5.0 : 0.0; });
  EXPECT_THAT(reported, ElementsAre(HasSubstr("One of every 100 steps takes 5.00 s longer")));
}

// Samples of two lengths.
TEST(Rhythms, StepsOfTwoSizesByChanceHaveNoneAndDidNotChange) {
  for (uint64_t seed = 200; seed < 210; ++seed) {
    for (const std::string& what : reported_of(2000, seed, [](int64_t, stats::Rng& rng) {
           return rng.uniform() < 0.3 ? 0.044 : 0.0;
         })) {
      EXPECT_THAT(what, HasSubstr("without a rhythm")) << seed;
    }
  }
}

TEST(Rhythms, OfUnevenCostAreNotTornApart) {
  const auto reported = reported_of(3000, 13, [](int64_t i, stats::Rng& rng) {
    return i % 100 == 0 ? 0.5 * std::exp(0.6 * rng.normal()) : 0.0;
  });
  EXPECT_THAT(reported, ElementsAre(HasSubstr("One of every 100 steps takes")));
}

// Steps of any length by chance.
TEST(Rhythms, AreNotSeenInWhatHasNone) {
  int reported = 0;
  for (uint64_t seed = 100; seed < 120; ++seed) {
    for (const std::string& what : reported_of(3000, seed, [](int64_t, stats::Rng& rng) {
           return rng.uniform() < 0.02 ? 0.1 * std::exp(rng.normal()) : 0.0;
         })) {
      reported += what.starts_with("One of every ") ? 1 : 0;
    }
  }
  EXPECT_LE(reported, 1);
}

}  // namespace
}  // namespace batchscope::training
