#include "batchscope/study/length_mix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>

namespace batchscope::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LengthMix parsed(const std::string& text) {
  auto mix = parse_length_mix(text);
  EXPECT_TRUE(mix) << (mix ? "" : base::to_string(mix.error()));
  return mix.value_or(LengthMix{});
}

std::vector<int64_t> sorted_lengths(const LengthMix& mix, int64_t batch_size) {
  auto lengths = cycle_lengths(mix, batch_size, 1);
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

double mean(const std::vector<int64_t>& values) {
  return static_cast<double>(std::accumulate(values.begin(), values.end(), int64_t{0})) /
         static_cast<double>(values.size());
}

TEST(CycleLengths, AreTheQuantilesOfTheDistribution) {
  // Far wider than the spread, so that nothing is cut off: exp(ln 100 + 0.5 z) at the 64 middles.
  const auto lengths = sorted_lengths(parsed("1-100000:lognormal(100,0.5)"), 64);
  ASSERT_EQ(lengths.size(), 64u);
  EXPECT_EQ(lengths[31], 99);   // z(31.5 / 64) = -0.0196
  EXPECT_EQ(lengths[32], 101);  // z(32.5 / 64) = +0.0196
  EXPECT_EQ(lengths[0], 30);    // z(0.5 / 64) = -2.418
  EXPECT_EQ(lengths[63], 335);  // z(63.5 / 64) = +2.418
}

TEST(CycleLengths, StayWithinTheRangeAndAreCutOffNotPiledUp) {
  const auto lengths = sorted_lengths(parsed("40-60:normal(40,20)"), 2048);
  EXPECT_EQ(lengths.front(), 40);
  EXPECT_EQ(lengths.back(), 60);
  // A truncated distribution has about as many at 60 as at 59; a clamped one has a heap there.
  const auto count = [&](int64_t value) {
    return static_cast<double>(std::count(lengths.begin(), lengths.end(), value));
  };
  EXPECT_NEAR(count(60) / count(59), 1, 0.1);
  EXPECT_NEAR(count(40) / count(41), 1, 0.1);
}

TEST(CycleLengths, OfAUniformMixGiveEveryLengthTheSameShare) {
  const auto lengths = sorted_lengths(parsed("3-10:uniform"), 64);
  for (int64_t value = 3; value <= 10; ++value) {
    EXPECT_EQ(std::count(lengths.begin(), lengths.end(), value), 8) << value;
  }
}

TEST(CycleLengths, AreTheSameTrafficForEveryBatchSize) {
  const LengthMix mix = parsed("16-128:lognormal(48,0.6)");
  const auto base = sorted_lengths(mix, 1);
  EXPECT_EQ(base.size(), 32u);
  for (const int64_t size : {2, 4, 8, 16, 32}) EXPECT_EQ(sorted_lengths(mix, size), base) << size;
  EXPECT_EQ(sorted_lengths(mix, 3).size(), 33u);
  EXPECT_EQ(sorted_lengths(mix, 33).size(), 33u);
  for (const int64_t size : {3, 7, 33, 100}) {
    EXPECT_NEAR(mean(sorted_lengths(mix, size)) / mean(base), 1, 0.01) << size;
  }
}

TEST(CycleLengths, AreInAnOrderThatSeedAndBatchSizeDecide) {
  const LengthMix mix = parsed("16-128:uniform");
  EXPECT_EQ(cycle_lengths(mix, 4, 7), cycle_lengths(mix, 4, 7));
  EXPECT_NE(cycle_lengths(mix, 4, 7), cycle_lengths(mix, 4, 8));
  EXPECT_NE(cycle_lengths(mix, 4, 7), cycle_lengths(mix, 8, 7));
  EXPECT_NE(cycle_lengths(mix, 4, 7), sorted_lengths(mix, 4));
}

TEST(CycleLengths, OfObservedLengthsAreAsFrequentAsThere) {
  const LengthMix mix = observed_mix("file:x", {9, 5, 5, 5});
  const auto lengths = sorted_lengths(mix, 8);
  EXPECT_EQ(std::count(lengths.begin(), lengths.end(), 5), 24);
  EXPECT_EQ(std::count(lengths.begin(), lengths.end(), 9), 8);
  EXPECT_EQ(mix.low, 5);
  EXPECT_EQ(mix.high, 9);
}

class LengthFile : public testing::Test {
 protected:
  std::string write(const std::string& content) {
    std::ofstream(path_) << content;
    return "file:" + path_.string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

 private:
  std::filesystem::path path_ = std::filesystem::path(testing::TempDir()) /
                                ("batchscope_length_mix_test_" + std::to_string(getpid()) + ".txt");
};

TEST_F(LengthFile, HasOneLengthALine) {
  const std::string text = write("# of our queries\n12\n\n 7 # short\r\n30");
  const LengthMix mix = parsed(text);
  EXPECT_THAT(mix.observed, ElementsAre(7, 12, 30));
  EXPECT_EQ(mix.text, text);
}

TEST_F(LengthFile, SaysWhichLineIsWrong) {
  for (const char* wrong : {"twelve", "0", "-3", "1.5", "3 4", "99999999999999999999"}) {
    const auto mix = parse_length_mix(write(std::string("7\n") + wrong + "\n"));
    ASSERT_FALSE(mix) << wrong;
    EXPECT_EQ(mix.error().kind, base::ErrorKind::input);
    EXPECT_THAT(mix.error().where, testing::EndsWith(".txt:2"));
  }
  const auto empty = parse_length_mix(write("# nothing\n"));
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().what, HasSubstr("no lengths"));
}

TEST_F(LengthFile, ThatIsNotThereIsAnInputError) {
  const auto mix = parse_length_mix("file:/nowhere/lengths.txt");
  ASSERT_FALSE(mix);
  EXPECT_EQ(mix.error().kind, base::ErrorKind::input);
}

TEST(IsLengthMix, TellsMixesFromRanges) {
  for (const char* mix :
       {"16-128:lognormal(48,0.6)", "1-2:uniform", "file:x", "lognormal(4,1)", "1-2:nonsense"}) {
    EXPECT_TRUE(is_length_mix(mix)) << mix;
  }
  for (const char* range : {"16", "16-128", "16-128*2", "16-128+8", "16:128", "1:128:2", ""}) {
    EXPECT_FALSE(is_length_mix(range)) << range;
  }
}

class WrongLengthMix : public testing::TestWithParam<const char*> {};

TEST_P(WrongLengthMix, IsRefusedWithTheFormThatIsExpected) {
  const auto mix = parse_length_mix(GetParam());
  ASSERT_FALSE(mix);
  EXPECT_EQ(mix.error().kind, base::ErrorKind::usage);
  EXPECT_THAT(mix.error().what, HasSubstr(GetParam()));
  EXPECT_THAT(mix.error().fix, HasSubstr("16-128:lognormal(48,0.6)"));
}

INSTANTIATE_TEST_SUITE_P(All, WrongLengthMix,
                         testing::Values("lognormal(48,0.6)", "16:lognormal(48,0.6)",
                                         "128-16:uniform", "0-16:uniform", "16-128:poisson(4)",
                                         "16-128:lognormal", "16-128:lognormal(48)",
                                         "16-128:lognormal(48,0)", "16-128:lognormal(-48,1)",
                                         "16-128:lognormal(48,0.6", "16-128:lognormal(48,0.6,1)",
                                         "16-128:lognormal(nan,1)", "16-128:normal(48,x)",
                                         "16-128:uniform(1,2)", "16-4294967296:uniform",
                                         "1000-2000:lognormal(10,0.1)", "file:"));

}  // namespace
}  // namespace batchscope::study
