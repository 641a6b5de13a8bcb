#include "batchscope/base/nearest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace batchscope::base {
namespace {

const std::vector<std::string> kVerbs{"profile", "analyze", "tune", "report", "plan"};
const std::vector<std::string> kFlags{"--batch-sizes", "--budget", "--blocks", "--model", "-m"};

TEST(NearestName, IsAFewSlipsAway) {
  EXPECT_EQ(nearest_name("profle", kVerbs), "profile");    // left out
  EXPECT_EQ(nearest_name("analyyze", kVerbs), "analyze");  // added
  EXPECT_EQ(nearest_name("analyse", kVerbs), "analyze");   // replaced
  EXPECT_EQ(nearest_name("tuen", kVerbs), "tune");         // swapped
  EXPECT_EQ(nearest_name("PLAN", kVerbs), "plan");
}

TEST(NearestName, IsNothingWhereNothingIsNear) {
  EXPECT_EQ(nearest_name("dance", kVerbs), "");
  EXPECT_EQ(nearest_name("", kVerbs), "");
  EXPECT_EQ(nearest_name("--", kFlags), "");
  EXPECT_EQ(nearest_name("x", kVerbs), "");
  EXPECT_EQ(nearest_name(std::string(100'000, 'a'), kVerbs), "");
}

TEST(NearestName, TakesFlagsWithTheirDashesOrWithout) {
  EXPECT_EQ(nearest_name("--batchsizes", kFlags), "--batch-sizes");
  EXPECT_EQ(nearest_name("--modle", kFlags), "--model");
  EXPECT_EQ(nearest_name("-model", kFlags), "--model");
  EXPECT_EQ(nearest_name("-x", kFlags), "");  // -m is no slip away, but another flag
}

TEST(NearestName, IsTheShortestThatBeginsWithIt) {
  EXPECT_EQ(nearest_name("--batch", kFlags), "--batch-sizes");
  EXPECT_EQ(nearest_name("prof", kVerbs), "profile");
  EXPECT_EQ(nearest_name("pr", kVerbs), "");
}

TEST(DidYouMean, IsBeforeTheRest) {
  EXPECT_EQ(did_you_mean("reprot", kVerbs), "did you mean report? ");
  EXPECT_EQ(did_you_mean("dance", kVerbs), "");
}

}  // namespace
}  // namespace batchscope::base
