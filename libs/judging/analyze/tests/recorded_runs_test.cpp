// Run files made up so that their truth is known, which a careless analysis reads wrongly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "batchscope/analyze/analyze.hpp"

namespace batchscope::analyze {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

findings::Summary summary_of(const std::string& name, const Options& options = {}) {
  const auto run = schema::read_run_file(std::string(RECORDED_RUNS) + "/" + name + ".jsonl");
  EXPECT_TRUE(run) << name;
  return run ? analyze(std::span(&*run, 1), options) : findings::Summary{};
}

const findings::Finding* departure_at(const findings::Summary& summary, int64_t size) {
  const auto found = std::find_if(
      summary.findings.begin(), summary.findings.end(), [&](const findings::Finding& each) {
        return each.id == "scaling.departure" && each.batch_sizes == std::vector{size};
      });
  return found == summary.findings.end() ? nullptr : &*found;
}

TEST(RecordedRuns, ASizeThatRanOutOfMemoryTwiceIsNotRecommended) {
  const findings::Summary summary = summary_of("oom");
  const findings::Recommendation& pick = summary.recommendations.at(0);
  EXPECT_EQ(pick.config.shape.batch_size, 8);
  EXPECT_THAT(pick.message, HasSubstr("Excluded: batch 16 (repeatedly out of memory"));
  EXPECT_THAT(pick.larger_sizes, testing::IsEmpty()) << "16 is too large already";
  const findings::Group& group = summary.groups.at(0);
  EXPECT_THAT(group.best_sizes, ElementsAre(8));
  EXPECT_THAT(group.good_sizes, ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(group.untested_sizes, testing::IsEmpty());
  ASSERT_EQ(group.set_aside.size(), 1U);
  EXPECT_EQ(group.set_aside[0].config.shape.batch_size, 16);
  EXPECT_EQ(group.set_aside[0].reason, findings::LeftOutReason::out_of_memory);
}

TEST(RecordedRuns, ASizeThatCrashedTwiceIsNotRecommended) {
  const findings::Summary summary = summary_of("crash");
  const findings::Recommendation& pick = summary.recommendations.at(0);
  EXPECT_EQ(pick.config.shape.batch_size, 8);
  EXPECT_THAT(pick.message, HasSubstr("Excluded: batch 16 (repeatedly failed"));
  EXPECT_THAT(summary.groups.at(0).best_sizes, ElementsAre(8));
  EXPECT_THAT(summary.groups.at(0).good_sizes, Not(Contains(16)));
}

TEST(RecordedRuns, NothingThatIsSlowerOnAverageIsRecommended) {
  const findings::Summary summary = summary_of("recommend_two_ways");
  const findings::Recommendation& pick = summary.recommendations.at(0);
  EXPECT_EQ(pick.config.shape.batch_size, 8);
  EXPECT_NEAR(pick.throughput_per_s, 382, 1);
  EXPECT_THAT(summary.groups.at(0).good_sizes, Not(Contains(16)));
}

TEST(RecordedRuns, ASlowMinorityOfVisitsIsNotTrimmedAwayToVerify) {
  const findings::Summary summary = summary_of("verified_wrong");
  for (const findings::Recommendation& pick : summary.recommendations) EXPECT_FALSE(pick.verified);
  const findings::Recommendation& pick = summary.recommendations.at(0);
  EXPECT_EQ(pick.config.shape.batch_size, 8) << "what is used today stays";
  EXPECT_TRUE(pick.undecided);
  EXPECT_THAT(summary.groups.at(0).best_sizes, ElementsAre(8, 16));
  EXPECT_TRUE(summary.groups.at(0).is_open) << "none is to be named";
}

TEST(RecordedRuns, WhatIsRecommendedIsNotToBeAvoidedToo) {
  Options options;
  options.latency_budget_s = 0.042;
  const findings::Summary within = summary_of("budget", options);
  EXPECT_EQ(within.recommendations.at(0).config.shape.batch_size, 8);
  ASSERT_TRUE(departure_at(within, 8));
  EXPECT_THAT(departure_at(within, 8)->fix,
              AllOf(HasSubstr("still recommended"), Not(HasSubstr("Avoid"))));
  const findings::Summary without = summary_of("budget");
  EXPECT_THAT(departure_at(without, 8)->fix, HasSubstr("Avoid batch 8"));
}

TEST(RecordedRuns, BetterThanItsNeighboursSuggestIsNoAdviceToUseIt) {
  const findings::Summary summary = summary_of("pos");
  const findings::Finding* const two = departure_at(summary, 2);
  ASSERT_TRUE(two);
  EXPECT_THAT(two->what, AllOf(HasSubstr("better, but 75 % below the throughput "
                                         "of batch 32"),
                               HasSubstr("less time")));
  EXPECT_EQ(two->fix, "");
  EXPECT_EQ(two->severity, findings::Severity::info);
  for (const findings::Finding& finding : summary_of("wave").findings) {
    EXPECT_THAT(finding.fix, Not(HasSubstr("good choice"))) << finding.what;
    EXPECT_THAT(finding.what, Not(HasSubstr("% faster")));
  }
}

TEST(RecordedRuns, AFifthOfTheTimeIsFiveTimesAsFast) {
  const findings::Summary summary = summary_of("fast");
  const findings::Finding* const three = departure_at(summary, 3);
  ASSERT_TRUE(three);
  EXPECT_THAT(three->what, AllOf(HasSubstr("takes 80 % less time"), HasSubstr("5.0 times as fast"),
                                 Not(HasSubstr("faster"))));
}

TEST(RecordedRuns, PartsThatAreAlikeAreCounted) {
  const findings::Summary summary = summary_of("split");
  ASSERT_FALSE(summary.findings.empty());
  bool reported = false;
  for (const findings::Finding& finding : summary.findings) {
    EXPECT_LT(finding.what.size(), 300U);
    reported |= finding.what.find("128 x 1") != std::string::npos;
  }
  EXPECT_TRUE(reported);
}

}  // namespace
}  // namespace batchscope::analyze
