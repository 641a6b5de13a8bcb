// Loops of which single steps take far longer: which, and what was different about them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "batchscope/stats/rng.hpp"
#include "rules/slow_words.hpp"
#include "watched.hpp"

namespace batchscope::training {
namespace {

using findings::Severity;
using findings::Status;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class SlowSteps : public Watched {
 protected:
  using Change = std::function<void(telemetry::TrainingStep& step, stats::Rng& rng)>;

  // Steps of 100 ms with 5 % noise, but for what `change` makes of them.
  void run(int steps, const Change& change) {
    stats::Rng rng(7);
    for (int i = 0; i < steps; ++i) {
      auto step = next(0.1 * std::exp(0.05 * rng.normal()));
      const double before = step.seconds;
      change(step, rng);
      step.time_ns = now_ += static_cast<int64_t>((step.seconds - before) * 1e9);
      watch_.add(step);
    }
  }
  std::vector<findings::Finding> found(std::string_view id) const {
    std::vector<findings::Finding> all;
    for (const auto& one : watch_.all()) {
      if (one.finding.id == id) all.push_back(one.finding);
    }
    return all;
  }
  findings::Finding only(std::string_view id) const {
    const auto all = found(id);
    EXPECT_EQ(all.size(), 1U) << testing::PrintToString(sentences(watch_.all()));
    return all.empty() ? findings::Finding{} : all.front();
  }
};

TEST_F(SlowSteps, OneOfThirtyIsReported) {
  run(30, [](auto& step, auto&) {
    if (step.step == 20) step.seconds = 20;
  });
  EXPECT_THAT(only("training.slow-steps").what, StartsWith("Step 20 "));
}

// Three times as long: a loader may be it, an optimizer, too.
TEST_F(SlowSteps, EachFourthThatIsThreeTimesAsLongMayBeALoader) {
  run(400, [](auto& step, auto&) {
    if (step.step % 4 == 0) step.seconds = 0.3;
  });
  const auto finding = only("training.periodic-slow-steps");
  EXPECT_EQ(finding.status, Status::suspected);
  EXPECT_THAT(finding.cause, HasSubstr("4 workers"));
}

TEST_F(SlowSteps, OneOfTheFirstIsReported) {
  run(100, [](auto& step, auto&) {
    if (step.step == 6) step.seconds = 20;
  });
  EXPECT_THAT(only("training.slow-steps").what, StartsWith("Step 6 "));
}

// A line of many steps that is five times as long is many steps of time.
TEST_F(SlowSteps, ALineOfManyStepsIsReported) {
  run(30, [](auto& step, auto&) {
    if (step.step == 20) step.seconds = 0.5;
    step.replaces = 100;
    step.others_seconds = 99 * step.seconds;
  });
  EXPECT_THAT(only("training.slow-steps").what, StartsWith("Step 20 "));
}

TEST_F(SlowSteps, WaitsInFewLinesOfManyStepsAreReported) {
  run(20, [](auto& step, auto&) {
    step.loading_seconds = 0.8 * step.seconds;
    step.replaces = 50;
    step.others_seconds = 49 * step.seconds;
  });
  EXPECT_EQ(only("training.loading").severity, Severity::high);
}

// As many times as long as it is large.
TEST_F(SlowSteps, BatchesThatTakeLongerInProportionCostNothing) {
  run(400, [](auto& step, auto& rng) {
    step.batch_size = 32;
    if (rng.uniform() < 0.05) {
      step.batch_size = 256;
      step.seconds = 0.79;
    }
  });
  const auto finding = only("training.slow-steps");
  EXPECT_EQ(finding.severity, Severity::info);
  EXPECT_FALSE(finding.gain.has_value());
}

class FarOutAt : public SlowSteps, public testing::WithParamInterface<int64_t> {};

// However few steps there are, wherever it is.
TEST_P(FarOutAt, IsReported) {
  run(100, [](auto& step, auto&) {
    if (step.step == GetParam()) step.seconds = 20;
  });
  EXPECT_THAT(only("training.slow-steps").what,
              StartsWith("Step " + std::to_string(GetParam()) + " took 20.0 s"));
}

INSTANTIATE_TEST_SUITE_P(Step, FarOutAt, testing::Values(12, 31, 32, 33, 64, 99, 100));

TEST_F(SlowSteps, OneInTenThousandIsReported) {
  run(10'000, [](auto& step, auto&) {
    if (step.step == 5000) step.seconds = 30;
  });
  EXPECT_THAT(only("training.slow-steps").what, StartsWith("Step 5000 took 30.0 s"));
}

TEST_F(SlowSteps, OneOfTwentyTypicalStepsIsReported) {
  run(1500, [](auto& step, auto&) {
    if (step.step == 1100) step.seconds = 2;
  });
  const auto finding = only("training.slow-steps");
  EXPECT_THAT(finding.what, StartsWith("Step 1100 took 2.00 s"));
  EXPECT_EQ(finding.severity, Severity::info);
}

TEST_F(SlowSteps, EachIsNamedThatCameBefore) {
  run(3000, [](auto& step, auto&) {
    if (step.step == 300 || step.step == 900 || step.step == 1700) step.seconds = 60;
  });
  const auto what = only("training.slow-steps").what;
  EXPECT_THAT(what, StartsWith("Step 1700 took 60.0 s"));
  EXPECT_THAT(what, HasSubstr("earlier also steps 300 and 900"));
}

TEST_F(SlowSteps, OneInThreeIsReported) {
  run(600, [](auto& step, stats::Rng& rng) {
    if (rng.uniform() < 1.0 / 3) step.seconds *= 20;
  });
  const auto finding = only("training.slow-steps");
  EXPECT_EQ(finding.severity, Severity::high);
  EXPECT_THAT(finding.what, HasSubstr("without a rhythm"));
  EXPECT_NEAR(finding.evidence[0].estimate.value, 0.86, 0.05);
}

TEST_F(SlowSteps, AGroupIsNamedByItsEnds) {
  run(500, [](auto& step, auto&) {
    if (step.step >= 200 && step.step < 208) step.seconds = 4;
  });
  EXPECT_THAT(only("training.slow-steps").what, StartsWith("Steps 200 to 207 took up to 4.00 s"));
}

TEST_F(SlowSteps, TwoThatWaitedAreNoMatterOfWorkers) {
  run(300, [](auto& step, auto&) {
    step.loading_seconds = 0.005;
    if (step.step != 33 && step.step != 188) return;
    step.loading_seconds = 20;
    step.seconds += 20;
  });
  const auto finding = only("training.slow-steps");
  EXPECT_THAT(finding.what, StartsWith("Steps 33 and 188 took up to 20.1 s"));
  EXPECT_EQ(finding.cause, "they waited for their batches");
  EXPECT_EQ(finding.severity, Severity::medium);
  EXPECT_NEAR(finding.evidence[0].estimate.value, 0.58, 0.03);
  EXPECT_TRUE(found("training.loading").empty());
}

TEST_F(SlowSteps, AFewInAHundredThatWaitByChanceAreNoMatterOfWorkersEither) {
  run(1500, [](auto& step, stats::Rng& rng) {
    step.loading_seconds = 0.001;
    if (rng.uniform() > 0.015) return;
    step.loading_seconds = 3;
    step.seconds += 3;
  });
  EXPECT_TRUE(found("training.loading").empty());
  EXPECT_EQ(only("training.slow-steps").cause, "they waited for their batches");
}

TEST_F(SlowSteps, WhatWasDifferentIsReported) {
  const auto cause_of = [this](const Change& change) {
    watch_ = StepWatch();
    step_ = 0;
    run(400, change);
    return only("training.slow-steps").cause;
  };
  EXPECT_EQ(cause_of([](auto& step, auto&) {
              step.batch_size = step.step == 200 ? 37 : 64;
              if (step.step == 200) step.seconds = 10;
            }),
            "the step was the first with a batch of its size");
  EXPECT_EQ(cause_of([](auto& step, auto&) {
              step.batch_size = step.step == 200 ? 64 * 50 : 64;
              if (step.step == 200) step.seconds = 6;
            }),
            "the step had a larger batch");
  EXPECT_EQ(cause_of([](auto& step, auto&) {
              step.batch_size = 64;
              step.loading_seconds = 0.01;
              if (step.step == 200) step.seconds = 10;
            }),
            "");
}

class EveryNth : public SlowSteps, public testing::WithParamInterface<int> {
 protected:
  // The workers of a loader, each of whose batches takes far longer than N steps.
  void run_workers(bool tells_loading) {
    run(800, [tells_loading](auto& step, auto&) {
      if (tells_loading) step.loading_seconds = 0.002;
      if (step.step % GetParam() != 0) return;
      if (tells_loading) step.loading_seconds = 2;
      step.seconds += 2;
    });
  }
};

TEST_P(EveryNth, IsALoaderOfNWorkersSuspectedWithoutItsTimes) {
  run_workers(false);
  const auto finding = only("training.periodic-slow-steps");
  EXPECT_EQ(finding.evidence[0].estimate.value, GetParam());
  EXPECT_EQ(finding.status, Status::suspected);
  EXPECT_THAT(finding.cause,
              HasSubstr("the loader's " + std::to_string(GetParam()) + " workers prepare"));
  EXPECT_THAT(finding.what, Not(HasSubstr("checkpoints")));
  EXPECT_TRUE(found("training.slow-steps").empty());
}

TEST_P(EveryNth, IsALoaderOfNWorkersProvenByItsTimes) {
  run_workers(true);
  const auto finding = only("training.periodic-slow-steps");
  EXPECT_EQ(finding.evidence[0].estimate.value, GetParam());
  EXPECT_EQ(finding.status, Status::proven);
  EXPECT_THAT(finding.cause,
              HasSubstr("the loader's " + std::to_string(GetParam()) + " workers prepare"));
  EXPECT_EQ(found("training.loading").size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Workers, EveryNth, testing::Values(2, 3, 4, 8, 16, 32, 64));

TEST_F(SlowSteps, EveryNthThatDoesNotWaitIsNoLoader) {
  run(800, [](auto& step, auto&) {
    step.loading_seconds = 0.002;
    if (step.step % 8 == 0) step.seconds += 2;
  });
  const auto finding = only("training.periodic-slow-steps");
  EXPECT_THAT(finding.cause, StartsWith("not the loader"));
  EXPECT_EQ(finding.severity, Severity::low);
}

TEST(NumbersOf, ManyAreCounted) {
  EXPECT_EQ(numbers_of(std::vector<int64_t>{187}), "187");
  EXPECT_EQ(numbers_of(std::vector<int64_t>{32, 187}), "32 and 187");
  EXPECT_EQ(numbers_of(std::vector<int64_t>{1, 2, 3, 7, 8, 11}), "1 to 3, 7, 8 and 11");
  std::vector<int64_t> many;
  for (int64_t i = 0; i < 20; ++i) many.push_back(10 * i);
  EXPECT_THAT(numbers_of(many), testing::EndsWith(", 100 and 9 others"));
}

}  // namespace
}  // namespace batchscope::training
