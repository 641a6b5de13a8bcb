#include "sections/loader_settings.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "batchscope/document/text_style.hpp"
#include "batchscope/report/text.hpp"
#include "testing/summaries/fixtures.hpp"

namespace batchscope::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// single_size() with 0 and 2 workers.
findings::Summary two_settings() {
  findings::Summary summary = fixtures::single_size();
  findings::Group& first = summary.groups.front();
  first.key.loader = schema::Loader{"python:data.py:dataset", 0, 2, false, "", false};
  first.rows.front().config.loader = first.key.loader;
  first.label = "net, fp32, 0 loader workers, python";
  first.table = "0 loader workers";
  findings::Group second = first;
  second.key.loader->workers = second.rows.front().config.loader->workers = 2;
  second.label = "net, fp32, 2 loader workers, prefetch 4, python";
  second.table = "2 loader workers";
  summary.groups.push_back(second);
  return summary;
}

std::vector<int> workers_of(const findings::Group& group) {
  std::vector<int> workers;
  for (const auto& row : group.rows) workers.push_back(row.config.loader->workers);
  return workers;
}

TEST(LoaderSettings, AreRowsOfOneTable) {
  const findings::Summary summary = two_settings();
  const auto merged = as_loader_settings(summary.groups);
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->label, "net, fp32, python, batch 4");
  EXPECT_THAT(workers_of(*merged), ElementsAre(0, 2));
  document::TextStyle style;
  style.extent = document::Extent::usual;
  const std::string text = report::text(summary, style);
  EXPECT_THAT(text, HasSubstr("net, fp32, python, batch 4\n"));
  EXPECT_THAT(text, HasSubstr("\n0 loader workers  "));
  EXPECT_THAT(text, HasSubstr("\n2 loader workers  "));
}

TEST(LoaderSettings, DifferInNothingElse) {
  findings::Summary summary = two_settings();
  EXPECT_FALSE(as_loader_settings({summary.groups.front()}));
  summary.groups.back().rows.front().config.threads = 7;
  EXPECT_FALSE(as_loader_settings(summary.groups));
  EXPECT_FALSE(as_loader_settings(fixtures::three_groups().groups));
}

}  // namespace
}  // namespace batchscope::report
