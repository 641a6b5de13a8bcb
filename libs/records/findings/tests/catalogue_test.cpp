#include "batchscope/findings/catalogue.hpp"

#include <gtest/gtest.h>

#include <set>

namespace batchscope::findings {
namespace {

TEST(Catalogue, IdsAreUniqueAndAllIsSaidOfEach) {
  std::set<std::string_view> ids;
  for (const FindingKind& kind : catalogue()) {
    EXPECT_TRUE(ids.insert(kind.id).second) << kind.id;
    EXPECT_EQ(find_kind(kind.id), &kind);
    EXPECT_FALSE(kind.tells.empty() || kind.does.empty() || kind.severity.empty());
  }
  EXPECT_EQ(find_kind("no.such"), nullptr);
}

TEST(Catalogue, SeverityFollowsTheExcess) {
  EXPECT_EQ(severity_of_excess(0.02), Severity::info);
  EXPECT_EQ(severity_of_excess(0.05), Severity::low);
  EXPECT_EQ(severity_of_excess(0.12), Severity::medium);
  EXPECT_EQ(severity_of_excess(0.30), Severity::high);
}

}  // namespace
}  // namespace batchscope::findings
