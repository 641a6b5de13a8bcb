#include "batchscope/ranges/tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/base/strings.hpp"
#include "written_recording.hpp"

namespace batchscope::ranges {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// "path calls total self max"
std::vector<std::string> describe(const std::vector<TreeRow>& rows) {
  std::vector<std::string> texts;
  for (const TreeRow& row : rows) {
    std::string text = base::join(row.path, "/");
    for (const int64_t value : {row.calls, row.total_ns, row.self_ns, row.max_ns}) {
      text += " " + std::to_string(value);
    }
    texts.push_back(text);
  }
  return texts;
}

TEST(Tree, AddsUpByPath) {
  const Recording recording = written(
      {range("iteration", 0, 0, 100), range("pad", 1, 10, 20, 0), range("forward", 2, 20, 90, 0),
       range("pad", 3, 30, 35, 2), range("iteration", 4, 100, 150), range("pad", 5, 110, 140, 4)});
  EXPECT_THAT(describe(tree(recording)),
              ElementsAre("iteration 2 150 40 100", "iteration/forward 1 70 65 70",
                          "iteration/forward/pad 1 5 5 5", "iteration/pad 2 40 40 30"));
  EXPECT_DOUBLE_EQ(tree(recording).front().mean_ns, 75);
}

TEST(Tree, TheOrderOfTheRangesDoesNotMatter) {
  Recording recording = written({range("b", 1, 10, 20, 0), range("a", 0, 0, 30)});
  EXPECT_THAT(describe(tree(recording)), ElementsAre("a 1 30 20 30", "a/b 1 10 10 10"));
}

TEST(Tree, OnlyWhatLiesWithinIsNotSelf) {
  // The inner one outlives the outer one by 50.
  const Recording recording = written({range("a", 0, 0, 30), range("b", 1, 10, 80, 0)});
  EXPECT_THAT(describe(tree(recording)), ElementsAre("a 1 30 10 30", "a/b 1 70 70 70"));
}

TEST(Tree, AThreadsRangesNestInItsOwn) {
  Recording recording =
      written({range("work", 0, 0, 30), range("work", 0, 5, 25), range("x", 1, 6, 7, 0)});
  recording.ranges[1].thread = recording.ranges[2].thread = 1;
  const std::vector<TreeRow> rows = tree(recording);
  EXPECT_THAT(describe(rows), ElementsAre("work 2 50 49 30", "work/x 1 1 1 1"));
  EXPECT_EQ(rows[0].threads, 2);
  EXPECT_EQ(rows[1].threads, 1);
}

TEST(Tree, WithoutItsParentARangeIsOutermost) {
  EXPECT_THAT(describe(tree(written({range("b", 7, 10, 20, 3)}))), ElementsAre("b 1 10 10 10"));
}

TEST(Tree, SumsDeviceTimesAndKeepsTheHighestPeak) {
  Recording recording =
      written({range("a", 0, 0, 30), range("a", 1, 30, 60), range("a", 2, 60, 90)});
  recording.ranges[0].device_ns = 5;
  recording.ranges[1].device_ns = 6;
  recording.ranges[1].memory = MemoryUse{1, 2, 300};
  recording.ranges[2].memory = MemoryUse{1, 2, 200};
  recording.ranges[2].open = true;
  const TreeRow row = tree(recording).front();
  EXPECT_EQ(row.device_ns, 11);
  EXPECT_EQ(row.peak_bytes, 300);
  EXPECT_EQ(row.open, 1);
}

TEST(Tree, AsText) {
  const Recording recording =
      written({range("iteration", 0, 0, 2'000'000), range("pad", 1, 0, 500'000, 0)});
  EXPECT_EQ(tree_text(tree(recording)),
            "range      calls    total     self     mean      max\n"
            "iteration      1  2.00 ms  1.50 ms  2.00 ms  2.00 ms\n"
            "  pad          1   500 us   500 us   500 us   500 us\n");
  Recording open = recording;
  open.ranges[0].open = true;
  EXPECT_THAT(tree_text(tree(open)), HasSubstr("still open"));
  EXPECT_EQ(tree_text({}), "range\n");
}

}  // namespace
}  // namespace batchscope::ranges
