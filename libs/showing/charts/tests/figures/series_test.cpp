#include "batchscope/charts/series.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/summaries/fixtures.hpp"

namespace batchscope::charts {
namespace {

using ::testing::ElementsAre;

TEST(SeriesNames, SplitsWhatIsSharedFromWhatTellsApart) {
  const SeriesNames names = series_names(fixtures::three_groups().groups);
  EXPECT_EQ(names.common, "distilbert, 64 tokens, cpu, 2 threads");
  EXPECT_THAT(names.own, ElementsAre("fp32", "bf16", "fp16"));
}

TEST(SeriesNames, TellEnginesApart) {
  auto groups = fixtures::one_group().groups;
  groups.push_back(groups.front());
  groups.back().key.engine = "openvino";
  const SeriesNames names = series_names(groups);
  EXPECT_THAT(names.own, ElementsAre(groups.front().key.engine, "openvino"));
  EXPECT_EQ(names.common.find("torch"), std::string::npos);
}

TEST(SeriesNames, FallsBackToLabelsForTheSameConfiguration) {
  auto groups = fixtures::one_group().groups;
  groups.push_back(groups.front());
  groups[0].label = "monday.jsonl";
  groups[1].label = "friday.jsonl";
  EXPECT_THAT(series_names(groups).own, ElementsAre("monday.jsonl", "friday.jsonl"));
}

}  // namespace
}  // namespace batchscope::charts
