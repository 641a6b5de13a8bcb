#include "batchscope/findings/metrics.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace batchscope::findings {
namespace {

TEST(Metrics, TheReferenceIsWhatTheTableSays) {
  std::ifstream file(METRICS_PAGE);
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_EQ(page.str(), metrics_markdown())
      << "regenerate it: metrics_reference > docs/reference/metrics.md";
}

TEST(Metrics, AreToldInWordsOfTheirOwnOrTheirName) {
  EXPECT_EQ(metric_in_words("minor_faults"), "page faults");
  EXPECT_EQ(metric_in_words("excess_over_law"), "excess over law");
  EXPECT_EQ(metric_in_words("of_a_newer_version"), "of a newer version");
}

TEST(Metrics, EvidenceHasTheirNameAndUnit) {
  const Evidence evidence = evidence_of(metric::kTime, {20, stats::Interval{19, 21}});
  EXPECT_EQ(evidence.metric, "time");
  EXPECT_EQ(evidence.unit, "ms");
  EXPECT_EQ(evidence.estimate.ci->low, 19);
  EXPECT_FALSE(evidence_of(metric::kTimeSaved, 0.1).estimate.ci);
}

}  // namespace
}  // namespace batchscope::findings
