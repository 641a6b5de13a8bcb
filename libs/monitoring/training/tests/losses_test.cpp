#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "batchscope/stats/rng.hpp"
#include "watched.hpp"

namespace batchscope::training {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class NotFinite : public Watched {
 protected:
  void lose(int times) {
    for (int i = 0; i < times; ++i) {
      auto step = next();
      step.loss_word = "nan";
      watch_.add(step);
    }
  }
  void go_on(int times) {
    for (int i = 0; i < times; ++i) {
      auto step = next();
      step.loss = 1;
      watch_.add(step);
    }
  }
  // Of the only finding that ever stood.
  findings::Severity severity() const {
    EXPECT_EQ(watch_.all().size(), 1U);
    return watch_.all().at(0).finding.severity;
  }
};

TEST_F(NotFinite, OfOneStepItWasSkippedWhereTheNextIsFinite) {
  go_on(10);
  lose(1);
  EXPECT_EQ(severity(), findings::Severity::medium);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(watch_.active().size(), 1U);
    go_on(1);
    EXPECT_EQ(severity(), findings::Severity::info);
  }
  EXPECT_THAT(watch_.active(), IsEmpty());
  EXPECT_THAT(watch_.all()[0].finding.what, HasSubstr("at step 11, and was finite again after it"));
}

TEST_F(NotFinite, OfSeveralInARowItIsTheEnd) {
  lose(2);
  EXPECT_EQ(severity(), findings::Severity::medium);
  lose(1);
  EXPECT_EQ(severity(), findings::Severity::high);
  go_on(1);
  EXPECT_EQ(severity(), findings::Severity::high);
  EXPECT_THAT(watch_.all()[0].finding.what, HasSubstr("at step 1, for 3 steps in a row"));
  go_on(19);
  EXPECT_THAT(watch_.active(), IsEmpty());
}

TEST_F(NotFinite, OfEveryOtherStepItIsNoSkippedOne) {
  for (int i = 0; i < 5; ++i) {
    lose(1);
    go_on(1);
  }
  EXPECT_EQ(severity(), findings::Severity::medium);
}

TEST_F(Watched, TellsOfALossThatGrowsAndOfOneThatStays) {
  stats::Rng rng(3);
  const auto tell = [&](double level) {
    auto step = next();
    step.loss = level * std::exp(0.02 * rng.normal());
    watch_.add(step);
  };
  const auto is_active = [&](std::string_view id) {
    for (const auto& one : watch_.active()) {
      if (one.finding.id == id) return true;
    }
    return false;
  };
  for (int i = 0; i < 1000; ++i) tell(4 - 0.002 * i);
  EXPECT_FALSE(is_active("training.loss-flat"));
  EXPECT_FALSE(is_active("training.loss-diverging"));
  for (int i = 0; i < 5000; ++i) tell(2);
  EXPECT_TRUE(is_active("training.loss-flat"));
  for (int i = 0; i < 1000; ++i) tell(2 + 0.003 * i);
  EXPECT_TRUE(is_active("training.loss-diverging"));
  EXPECT_FALSE(is_active("training.loss-flat"));
}

TEST_F(Watched, ALossThatFellAndRisesIsNotCalledFlat) {
  stats::Rng rng(3);
  const auto tell = [&](int64_t count, double from, double to) {
    for (int64_t i = 0; i < count; ++i) {
      auto step = next();
      step.loss = from + (to - from) * static_cast<double>(i) / static_cast<double>(count) +
                  0.02 * rng.normal();
      watch_.add(step);
    }
  };
  tell(6000, 4, 2);
  tell(6000, 2, 4);
  for (const auto& one : watch_.all()) EXPECT_NE(one.finding.id, "training.loss-flat");
}

TEST_F(Watched, SaysSinceWhenALossIsFlat) {
  stats::Rng rng(5);
  for (int i = 0; i < 20'000; ++i) {
    auto step = next();
    step.loss = 2 + 3 * std::exp(-std::min(i, 4000) / 600.0) + 0.05 * rng.normal();
    watch_.add(step);
  }
  ASSERT_EQ(watch_.active().size(), 1u);
  const std::string what = watch_.active()[0].finding.what;
  int64_t since = 0;
  ASSERT_EQ(std::sscanf(what.c_str(), "The loss has not fallen since about step %ld", &since), 1);
  EXPECT_NEAR(static_cast<double>(since), 4000, 1600) << what;
}

TEST_F(Watched, ATrainingThatBeginsAnewFromItsFirstStepIsNoEpoch) {
  stats::Rng rng(6);
  for (int run = 0; run < 6; ++run) {
    for (step_ = 0; step_ < 700;) {
      auto step = next();
      step.loss = 2 + 3 * std::exp(-static_cast<double>(step.step) / 300) + 0.05 * rng.normal();
      watch_.add(step);
    }
  }
  EXPECT_THAT(sentences(watch_.all()), IsEmpty());
  EXPECT_EQ(watch_.throughput("a")->last_step, 700);
}

TEST_F(Watched, TellsOnceOfALossThatIsFlatFromTheStart) {
  stats::Rng rng(7);
  for (int i = 0; i < 60'000; ++i) {
    auto step = next();
    step.loss = 1 + 0.1 * rng.uniform();
    watch_.add(step);
  }
  ASSERT_EQ(watch_.all().size(), 1u);
  EXPECT_EQ(watch_.all()[0].finding.id, "training.loss-flat");
  EXPECT_THAT(watch_.all()[0].finding.what, HasSubstr("since about step 1;"));
}

TEST_F(Watched, ALossThatIsMostlyZeroHasNoSpikes) {
  stats::Rng rng(4);
  for (const double share : {0.07, 0.3, 0.45}) {
    StepWatch watch;
    for (int i = 0; i < 3000; ++i) {
      auto step = next();
      step.loss = rng.uniform() < share ? rng.uniform() : 0.0;
      watch.add(step);
    }
    for (const std::string& what : sentences(watch.all())) {
      EXPECT_THAT(what, testing::Not(HasSubstr("jumped"))) << share;
    }
  }
}

TEST_F(Watched, ALossThatJumpsWithTheLearningRateSaysSo) {
  stats::Rng rng(5);
  for (int i = 0; i < 400; ++i) {
    auto step = next();
    step.learning_rate = i < 300 ? 1e-5 : 1e-3;
    step.loss = 1 + (i < 300 ? 0 : 0.5 * std::exp((300 - i) / 15.0)) + 0.01 * rng.normal();
    watch_.add(step);
  }
  EXPECT_THAT(sentences(watch_.all()),
              testing::ElementsAre(HasSubstr("at step 301, as the learning rate rose from 1e-05 to "
                                             "0.001 at step 301")));
  EXPECT_EQ(watch_.all()[0].finding.severity, findings::Severity::info);
}

TEST_F(Watched, ALossWithFewDigitsMayJump) {
  for (int i = 0; i < 200; ++i) {
    auto step = next();
    step.loss = i < 150 ? 0.05 : 5.0;
    watch_.add(step);
  }
  EXPECT_THAT(sentences(watch_.all()), testing::Contains(HasSubstr("jumped from about 0.05 to 5")));
}

}  // namespace
}  // namespace batchscope::training
