#include <gtest/gtest.h>

#include "batchscope/findings/summary.hpp"
#include "batchscope/findings/tuning.hpp"

namespace batchscope::findings {
namespace {

TEST(Names, OfWhatIsFound) {
  for (const auto value : {Severity::info, Severity::low, Severity::medium, Severity::high}) {
    EXPECT_EQ(*parse_severity(to_string(value)), value);
  }
  EXPECT_EQ(to_string(Status::unexplained), "unexplained");
  EXPECT_EQ(to_string(Verdict::untestable), "untestable");
  EXPECT_EQ(to_string(Outcome::inconclusive), "inconclusive");
  EXPECT_EQ(to_string(LeftOutReason::few_visits), "few-visits");
  EXPECT_EQ(to_string(GateName::finding), "finding");
  EXPECT_EQ(to_string(ComparisonTest::welch_runs), "welch-runs");
}

}  // namespace
}  // namespace batchscope::findings
