#include "batchscope/findings/catalogue.hpp"

#include <gtest/gtest.h>

namespace batchscope::findings {
namespace {

constexpr Metric kMetric{"of_one", "A number of one kind.", "s"};

struct Limits {
  double least = 3, share = 0.25;
};

TEST(Catalogue, WordsAreMadeOfWhatIsJudgedBy) {
  using CommandLine = Prose<Limits>;
  constexpr KindRow<Limits> kRow(
      "a.kind", "A kind", CommandLine("From {} to {} on, {%}.", &Limits::least, 7, &Limits::share),
      "Nothing.", CommandLine("low above {%}", 0.125), metrics(&kMetric));
  const FindingKind kind = kRow.kind();
  EXPECT_EQ(kind.tells, "From 3 to 7 on, 25 %.");
  EXPECT_EQ(kind.does, "Nothing.");
  EXPECT_EQ(kind.severity, "low above 12.5 %");
  EXPECT_EQ(kRow.kind({4, 0.5}).tells, "From 4 to 7 on, 50 %.");
  ASSERT_EQ(kind.evidence.size(), 1U);
  EXPECT_EQ(kind.evidence.front(), &kMetric);
}

TEST(Catalogue, SeverityFollowsTheExcess) {
  EXPECT_EQ(severity_of_excess(0.02), Severity::info);
  EXPECT_EQ(severity_of_excess(0.05), Severity::low);
  EXPECT_EQ(severity_of_excess(0.12), Severity::medium);
  EXPECT_EQ(severity_of_excess(0.30), Severity::high);
}

}  // namespace
}  // namespace batchscope::findings
