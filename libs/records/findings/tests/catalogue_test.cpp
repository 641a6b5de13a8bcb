#include "batchscope/findings/catalogue.hpp"

#include <gtest/gtest.h>

#include <string>

namespace batchscope::findings {
namespace {

constexpr Metric kMetric{"of_one", "s", "A number of one kind."};

std::string made(const double& least) {
  return "From " + std::to_string(static_cast<int>(least)) + " on.";
}

TEST(Catalogue, WordsAreMadeOfWhatIsJudgedBy) {
  constexpr KindRow<double> kRow{"a.kind", "A kind", made, "Nothing.", "info", {&kMetric}};
  const FindingKind kind = kRow.kind(3);
  EXPECT_EQ(kind.tells, "From 3 on.");
  EXPECT_EQ(kind.does, "Nothing.");
  EXPECT_EQ(kRow.kind(4).tells, "From 4 on.");
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
