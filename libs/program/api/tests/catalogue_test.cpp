#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "batchscope/api/program.hpp"
#include "batchscope/base/strings.hpp"

namespace batchscope::api {
namespace {

using findings::FindingKind;

using testing::IsSupersetOf;
using testing::StartsWith;

// Of the lines that begin so, what follows up to `end`.
std::vector<std::string> reported(const std::string& page, std::string_view begin, char end) {
  std::vector<std::string> found;
  for (const std::string_view line : base::split(page, '\n')) {
    if (!line.starts_with(begin)) continue;
    found.emplace_back(base::split(line.substr(begin.size()), end).front());
  }
  return found;
}

TEST(Catalogue, SaysAllOfEachKind) {
  const findings::Catalogue kinds = catalogue();
  for (const FindingKind& kind : kinds) {
    EXPECT_EQ(findings::find_kind(kinds, kind.id), &kind);
    EXPECT_FALSE(kind.title.empty() || kind.tells.empty() || kind.does.empty() ||
                 kind.severity.empty());
  }
  EXPECT_EQ(findings::find_kind(kinds, "no.such"), nullptr);
}

TEST(Reference, TellsOfEachKindOnce) {
  const std::string page = findings::help_on("findings", catalogue());
  const auto headings = reported(page, "## ", ':');
  for (const FindingKind& kind : catalogue()) {
    EXPECT_EQ(std::count(headings.begin(), headings.end(), kind.id), 1) << kind.id;
  }
  const auto anchors = reported(page, "<a id=\"", '"');
  EXPECT_EQ(anchors.size(), catalogue().size());
  EXPECT_EQ(std::set<std::string>(anchors.begin(), anchors.end()).size(), anchors.size());
}

TEST(Reference, TellsOfEachMetricOnce) {
  const auto names = reported(findings::help_on("metrics", catalogue()), "| `", '`');
  EXPECT_THAT(names, IsSupersetOf({"time", "excess_over_law", "minor_faults"}));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST(Reference, EachAddressLeadsToWhatItIsOf) {
  const auto topics = findings::help_topics(catalogue());
  for (const FindingKind& kind : catalogue()) {
    EXPECT_EQ(std::count(topics.begin(), topics.end(), kind.id), 1) << kind.id;
    EXPECT_EQ(findings::doc_link(kind.id), "batchscope help " + std::string(kind.id));
    EXPECT_THAT(findings::help_on(kind.id, catalogue()),
                StartsWith("## " + std::string(kind.id) + ": "));
  }
  EXPECT_EQ(findings::help_on("scaling", catalogue()), "");
}

}  // namespace
}  // namespace batchscope::api
