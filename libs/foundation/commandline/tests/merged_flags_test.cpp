#include "batchscope/commandline/merged_flags.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace batchscope::commandline {
namespace {

using Typed = std::vector<std::string>;

constexpr std::array kLoader = {MergedPart{"workers", "--loader-workers"},
                                MergedPart{"prefetch", "--prefetch"}};
constexpr std::array kDiagnose = {MergedPart{"causes", "--verify-causes", "auto", "off"},
                                  MergedPart{"verify", "--verify", "auto", "off"},
                                  MergedPart{"budget", "--diagnose-budget"}};
constexpr std::array kExisting = {MergedPart{"fail", "", "yes"},
                                  MergedPart{"resume", "--resume", "yes"}};
constexpr std::array kFlags = {MergedFlag{"--loader", Takes::source, kLoader},
                               MergedFlag{"--diagnose", Takes::optional_parts, kDiagnose},
                               MergedFlag{"--on-existing", Takes::parts, kExisting}};

Typed out(const Typed& words) {
  const auto written = written_out(words, kFlags);
  return written ? *written : Typed{"error", written.error().where};
}

TEST(MergedFlags, PartsOfASourceAreListsOfTheirOwn) {
  EXPECT_EQ(
      out({"-m", "x", "--loader", "dir,workers=0,1,2,prefetch=4", "-q"}),
      (Typed{"-m", "x", "--loader", "dir", "--loader-workers", "0,1,2", "--prefetch", "4", "-q"}));
  EXPECT_EQ(out({"--loader=synthetic:256,latency=5ms"}),
            (Typed{"--loader", "synthetic:256,latency=5ms"}));
  EXPECT_EQ(out({"--loader", "synthetic:256,latency=5ms,workers=1"}),
            (Typed{"--loader", "synthetic:256,latency=5ms", "--loader-workers", "1"}));
}

TEST(MergedFlags, AnOptionalValueIsTakenOnlyBehindItsSign) {
  EXPECT_EQ(out({"--diagnose", "-b", "1"}), (Typed{"--diagnose", "-b", "1"}));
  EXPECT_EQ(out({"--diagnose=budget=10m"}), (Typed{"--diagnose", "--diagnose-budget", "10m"}));
}

TEST(MergedFlags, WhoNamesOnePartWantsNoOther) {
  EXPECT_EQ(out({"--diagnose=causes"}),
            (Typed{"--diagnose", "--verify-causes", "auto", "--verify", "off"}));
  EXPECT_EQ(out({"--diagnose=verify,causes,budget=1m"}),
            (Typed{"--diagnose", "--verify", "auto", "--verify-causes", "auto", "--diagnose-budget",
                   "1m"}));
}

TEST(MergedFlags, OneOfAFewTyped) {
  EXPECT_EQ(out({"--on-existing", "resume"}), (Typed{"--resume"}));
  EXPECT_EQ(out({"--on-existing=fail"}), Typed{});
  EXPECT_EQ(out({"--on-existing", "replace"}), (Typed{"error", "--on-existing"}));
  EXPECT_EQ(out({"--diagnose=all"}), (Typed{"error", "--diagnose"}));
}

TEST(MergedFlags, ACommandBehindTwoDashesIsLeftAlone) {
  const Typed words = {"--", "train", "--loader", "a,workers=1", "--on-existing", "resume"};
  EXPECT_EQ(out(words), words);
  EXPECT_TRUE(notes_on_old_flags({"--", "train", "--resume"}, kFlags).empty());
}

TEST(MergedFlags, WhoTypesAnOldFlagReadsTheNewOne) {
  const Typed notes = notes_on_old_flags({"--resume", "--loader-workers=2", "-b", "1"}, kFlags);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_NE(notes[0].find("--on-existing resume"), std::string::npos) << notes[0];
  EXPECT_NE(notes[1].find("--loader SOURCE,workers="), std::string::npos) << notes[1];
  EXPECT_TRUE(is_old_flag("--prefetch", kFlags));
  EXPECT_FALSE(is_old_flag("--loader", kFlags));
  EXPECT_FALSE(is_old_flag("--sync", kFlags));
}

}  // namespace
}  // namespace batchscope::commandline
