#include "batchscope/findings/answer.hpp"

#include <gmock/gmock.h>

#include "batchscope/findings/summary.hpp"
#include "batchscope/findings/wording.hpp"
#include "testing/summaries/sample_summary.hpp"

namespace batchscope::findings {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Answer sure_answer() {
  return sample_answer(schema::sample_mix_config());
}

TEST(Answer, LeadsWithWhatToSetAndEndsWithTheCommand) {
  EXPECT_THAT(
      sure_answer().lines,
      ElementsAre("Use batch 4: 20.0 samples/s, 12 % more than batch 1 (95 % CI 10 to 14 %).",
                  "Latency: 200 ms per batch, p95 215 ms, p99 ~220 ms (~: too few samples to "
                  "be reliable).",
                  "Verified: in 12 fresh visits that took no part in choosing it.",
                  "Machine: quiet.",
                  "Next: See it on one page:", "  batchscope report run.jsonl -o report.html"));
}

TEST(Answer, HasAtMostSixLines) {
  Answer answer = sure_answer();
  answer.machine = "other processes were busy in 4 of 12 visits; the quota stopped the work";
  put_lines(answer);
  EXPECT_LE(answer.lines.size(), 6U);
}

TEST(Answer, SaysTimesWhereTheGainIsManyTimes) {
  Answer answer = sure_answer();
  answer.gain = Estimate{12.7, stats::Interval{12.4, 13.1}};
  put_lines(answer);
  EXPECT_THAT(answer.lines.front(),
              HasSubstr("13.7 times as much as batch 1 (95 % CI 13.4 to 14.1 times)"));
}

TEST(Answer, SaysToWhichSideTheMeanLies) {
  Answer answer = sure_answer();
  answer.latency->mean_ms = 150;
  put_lines(answer);
  EXPECT_THAT(answer.lines[1], HasSubstr("(mean 150 ms: some are much shorter)"));
  answer.latency->mean_ms = 300;
  put_lines(answer);
  EXPECT_THAT(answer.lines[1], HasSubstr("(mean 300 ms: some are much longer)"));
}

TEST(Answer, MarksNoQuantileWithEnoughSamples) {
  Answer answer = sure_answer();
  answer.latency->p99_ms.ci = stats::Interval{216, 224};
  put_lines(answer);
  EXPECT_THAT(answer.lines[1], Not(HasSubstr("~")));
}

TEST(Answer, HasNoFiguresWhereNothingIsNamed) {
  Answer answer;
  answer.headline = "Cannot tell which batch size is best";
  answer.sure = "the largest difference measured, 4.1 %, has an interval of -12 to 24 %";
  put_lines(answer);
  EXPECT_THAT(
      answer.lines,
      ElementsAre("Cannot tell which batch size is best.",
                  "The largest difference measured, 4.1 %, has an interval of -12 to 24 %."));
}

TEST(ByInterval, HasTheDigitsThatTheIntervalAllows) {
  EXPECT_EQ(by_interval({61.7234, stats::Interval{61.2, 62.2}}), "61.72");
  EXPECT_EQ(by_interval({53.2, stats::Interval{33, 86}}), "53");
  EXPECT_EQ(by_interval({12345, stats::Interval{10345, 14345}}), "12300");
  EXPECT_EQ(by_interval({0.01234, stats::Interval{0.0113, 0.0133}}), "0.0123");
  EXPECT_EQ(by_interval({61.7234, std::nullopt}), "61.7");
}

TEST(ReportedQuantile, IsPlainWhereNoIntervalIs) {
  Distribution distribution;
  EXPECT_FALSE(reported_quantile(distribution, Quantile::p99));
  distribution.samples_ms = {1, 2, 3};
  ASSERT_TRUE(reported_quantile(distribution, Quantile::p95));
  EXPECT_NEAR(reported_quantile(distribution, Quantile::p95)->value, 2.9, 1e-12);
  EXPECT_FALSE(reported_quantile(distribution, Quantile::p95)->ci);
  distribution.p95_ms = Estimate{2.5, stats::Interval{2, 3}};
  EXPECT_EQ(reported_quantile(distribution, Quantile::p95)->value, 2.5);
}

TEST(VerdictInWords, SaysWhatItIsOf) {
  ConfigRow row;
  EXPECT_EQ(verdict_in_words(row), "too few visits");
  row.verdict = Verdict::proven;
  row.departs = Deviation::slower;
  EXPECT_EQ(verdict_in_words(row), "slow, proven");
  row.departs = Deviation::faster;
  EXPECT_EQ(verdict_in_words(row), "fast, proven");
  row.verdict = Verdict::suspect;
  row.departs = Deviation::unknown;
  EXPECT_EQ(verdict_in_words(row), "odd, suspected");
}

}  // namespace
}  // namespace batchscope::findings
