#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "batchscope/base/strings.hpp"
#include "batchscope/findings/catalogue.hpp"

namespace batchscope::findings {
namespace {

using testing::IsSupersetOf;
using testing::StartsWith;

// Of the lines that begin so, what follows up to `end`.
std::vector<std::string> told(const std::string& page, std::string_view begin, char end) {
  std::vector<std::string> found;
  for (const std::string_view line : base::split(page, '\n')) {
    if (!line.starts_with(begin)) continue;
    found.emplace_back(base::split(line.substr(begin.size()), end).front());
  }
  return found;
}

TEST(Reference, TellsOfEachKindOnce) {
  const std::string page = help_on("findings");
  const auto headings = told(page, "## ", ':');
  for (const FindingKind& kind : catalogue()) {
    EXPECT_EQ(std::count(headings.begin(), headings.end(), kind.id), 1) << kind.id;
  }
  const auto anchors = told(page, "<a id=\"", '"');
  EXPECT_EQ(anchors.size(), catalogue().size());
  EXPECT_EQ(std::set<std::string>(anchors.begin(), anchors.end()).size(), anchors.size());
}

TEST(Reference, TellsOfEachMetricOnce) {
  const auto names = told(help_on("metrics"), "| `", '`');
  EXPECT_THAT(names, IsSupersetOf({"time", "excess_over_law", "minor_faults"}));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST(Reference, EachAddressLeadsToWhatItIsOf) {
  const auto topics = help_topics();
  for (const FindingKind& kind : catalogue()) {
    EXPECT_EQ(std::count(topics.begin(), topics.end(), kind.id), 1) << kind.id;
    EXPECT_EQ(doc_link(kind.id), "batchscope help " + std::string(kind.id));
    EXPECT_THAT(help_on(kind.id), StartsWith("## " + std::string(kind.id) + ": "));
  }
  EXPECT_EQ(help_on("scaling"), "");
}

}  // namespace
}  // namespace batchscope::findings
