#include "batchscope/monitor_report/together.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "machines.hpp"

namespace batchscope::monitor_report {
namespace {

using findings::Severity;
using testing::kMachineSecond;
using testing::kNoon;

std::vector<std::string> sentences(const std::vector<watch::ActiveFinding>& findings) {
  std::vector<std::string> all;
  for (const watch::ActiveFinding& one : merged_findings(findings)) all.push_back(one.finding.what);
  return all;
}

watch::ActiveFinding idle(int gpu, int64_t after = 0, Severity severity = Severity::high) {
  return testing::active("GPU " + std::to_string(gpu) + " is idle", severity,
                         kNoon + after * kMachineSecond, "", gpu);
}

TEST(Together, TheSameOfSeveralGpusIsOne) {
  EXPECT_THAT(sentences({idle(0), idle(1), idle(2), idle(3)}),
              ::testing::ElementsAre("GPU 0 (likewise 1 to 3) is idle"));
  EXPECT_THAT(sentences({idle(12), idle(1), idle(2), idle(5)}),
              ::testing::ElementsAre("GPU 12 (likewise 1, 2 and 5) is idle"));
  EXPECT_THAT(sentences({idle(3), idle(4)}), ::testing::ElementsAre("GPU 3 (likewise 4) is idle"));
}

TEST(Together, WhereTheSentenceDoesNotNameTheGpuItDoes) {
  EXPECT_THAT(sentences({testing::active("lost", Severity::high, kNoon, "", 1),
                         testing::active("lost", Severity::high, kNoon, "", 2)}),
              ::testing::ElementsAre("GPU 1 (likewise 2): lost"));
}

TEST(Together, WhatIsNotAlikeStaysApart) {
  watch::ActiveFinding ended = idle(2);
  ended.ended_ns = kNoon + kMachineSecond;
  watch::ActiveFinding other = idle(3);
  other.finding.id = "monitor.other";
  EXPECT_EQ(merged_findings({idle(0), idle(1, 0, Severity::low), ended, other}).size(), 4U);
  EXPECT_EQ(merged_findings({idle(0), testing::active("full", Severity::high, kNoon)}).size(), 2U);
  watch::ActiveFinding slice = idle(1);
  std::get<findings::GpuMoment>(slice.finding.where).slice = 2;
  EXPECT_EQ(merged_findings({idle(0), slice}).size(), 2U);
}

watch::ActiveFinding busy(int gpu, double share) {
  watch::ActiveFinding one = idle(gpu);
  one.finding.what = fmt::format("GPU {} is busy for {:.0f} %", gpu, 100 * share);
  findings::Evidence evidence;
  evidence.metric = "gpu_busy";
  evidence.unit = findings::kRatioUnit;
  evidence.estimate.value = share;
  one.finding.evidence = {evidence};
  return one;
}

TEST(Together, NumbersThatDifferAreStated) {
  EXPECT_THAT(sentences({busy(0, 0.7), busy(1, 0.42), busy(2, 0.5)}),
              ::testing::ElementsAre("GPU 0 (likewise 1 and 2) is busy for 42 to 70 %"));
  EXPECT_THAT(sentences({busy(0, 0.7), busy(1, 0.7)}),
              ::testing::ElementsAre("GPU 0 (likewise 1) is busy for 70 %"));
}

TEST(Together, EachNumberHasItsRange) {
  watch::ActiveFinding first = busy(2, 0.68), second = busy(5, 0.61);
  first.finding.what = "GPU 2 differs: its clock is 32 % below, at 5.10 W";
  second.finding.what = "GPU 5 differs: its clock is 39.5 % below, at 5.10 W";
  EXPECT_THAT(sentences({first, second}),
              ::testing::ElementsAre(
                  "GPU 2 (likewise 5) differs: its clock is 32 to 39.5 % below, at 5.10 W"));
}

TEST(Together, WhatSaysSomethingElseStaysApart) {
  watch::ActiveFinding first = idle(0), second = idle(1);
  first.finding.what = "GPU 0: XID 79, fallen off the bus";
  second.finding.what = "GPU 1: XID 48, errors of memory";
  EXPECT_EQ(merged_findings({first, second}).size(), 2U);
  second.finding.what = "GPU 1: XID 31, fallen off the bus";
  EXPECT_EQ(merged_findings({first, second}).size(), 2U);
  EXPECT_EQ(merged_findings({idle(0), idle(1, 31)}).size(), 2U);
}

TEST(Together, ItLastsFromTheFirstBeginningToTheLastEnd) {
  watch::ActiveFinding first = idle(0, 20), second = idle(1, 10);
  first.ended_ns = kNoon + 30 * kMachineSecond;
  second.ended_ns = kNoon + 40 * kMachineSecond;
  const auto reported = merged_findings({first, second});
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_EQ(reported[0].since_ns, kNoon + 10 * kMachineSecond);
  EXPECT_EQ(reported[0].ended_ns, kNoon + 40 * kMachineSecond);
}

}  // namespace
}  // namespace batchscope::monitor_report
