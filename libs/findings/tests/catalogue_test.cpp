#include "batchscope/findings/catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace batchscope::findings {
namespace {

TEST(Catalogue, IdsAreUniqueAndEachHasItsSection) {
  std::set<std::string_view> ids;
  const std::string page = catalogue_markdown();
  for (const FindingKind& kind : catalogue()) {
    EXPECT_TRUE(ids.insert(kind.id).second) << kind.id;
    EXPECT_EQ(find_kind(kind.id), &kind);
    const std::string link = doc_link(kind.id);
    const std::string anchor = link.substr(link.find('#') + 1);
    EXPECT_THAT(page, testing::HasSubstr("<a id=\"" + anchor + "\">"));
    EXPECT_FALSE(kind.tells.empty() || kind.does.empty() || kind.severity.empty());
  }
  EXPECT_EQ(find_kind("no.such"), nullptr);
}

TEST(Catalogue, TheReferenceIsWhatTheCatalogueSays) {
  std::ifstream file(FINDINGS_PAGE);
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_EQ(page.str(), catalogue_markdown())
      << "regenerate it: findings_reference > docs/reference/findings.md";
}

TEST(Catalogue, SeverityFollowsTheExcess) {
  EXPECT_EQ(severity_of_excess(0.02), Severity::info);
  EXPECT_EQ(severity_of_excess(0.05), Severity::low);
  EXPECT_EQ(severity_of_excess(0.12), Severity::medium);
  EXPECT_EQ(severity_of_excess(0.30), Severity::high);
}

}  // namespace
}  // namespace batchscope::findings
