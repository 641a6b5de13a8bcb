#include "batchscope/findings/metrics.hpp"

#include <gtest/gtest.h>

namespace batchscope::findings {
namespace {

TEST(Metrics, AreReportedInWordsOfTheirOwnOrTheirName) {
  constexpr Metric kFaults{"minor_faults", "", "", "page faults"};
  EXPECT_EQ(metric_in_words(evidence_of(kFaults, 1)), "page faults");
  EXPECT_EQ(metric_in_words(evidence_of(metric::kExcessOverLaw, 1)), "excess over law");
  EXPECT_EQ(metric_in_words({"of_a_newer_version", {}, ""}), "of a newer version");
}

TEST(Metrics, EvidenceHasTheirNameAndUnit) {
  const Evidence evidence = evidence_of(metric::kExcessOverLaw, {20, stats::Interval{19, 21}});
  EXPECT_EQ(evidence.metric, "excess_over_law");
  EXPECT_EQ(evidence.unit, "ratio");
  EXPECT_EQ(evidence.estimate.ci->low, 19);
  EXPECT_FALSE(evidence_of(metric::kTimeSaved, 0.1).estimate.ci);
}

}  // namespace
}  // namespace batchscope::findings
