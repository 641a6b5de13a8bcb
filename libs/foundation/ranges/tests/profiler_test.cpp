#include "batchscope/ranges/profiler.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <thread>

#include "hand_clock.hpp"

namespace batchscope::ranges {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// "name[begin, end) in N", times since the clock's start.
std::string describe(const RangeRecord& range) {
  std::string text = range.name + "[" + std::to_string(range.begin_ns - 1000) + "," +
                     std::to_string(range.end_ns - 1000) + ")";
  if (range.parent) text += " in " + std::to_string(*range.parent);
  if (range.open) text += " open";
  if (range.moved) text += " moved";
  return text;
}

std::vector<std::string> describe(const std::vector<RangeRecord>& ranges) {
  std::vector<std::string> texts;
  for (const RangeRecord& range : ranges) texts.push_back(describe(range));
  return texts;
}

class ProfilerTest : public testing::Test {
 protected:
  std::vector<std::string> recorded() const { return describe(profiler_.recording().ranges); }

  HandClock clock_;
  Profiler profiler_{{.clock = &clock_}};
};

TEST_F(ProfilerTest, ScopesNest) {
  {
    const Range outer = profiler_.range("outer");
    clock_.pass(10);
    {
      const Range inner = profiler_.range("inner");
      clock_.pass(5);
    }
    clock_.pass(1);
  }
  EXPECT_THAT(recorded(), ElementsAre("outer[0,16)", "inner[10,15) in 0"));
}

TEST_F(ProfilerTest, BeginAndEndPairUp) {
  profiler_.begin("a");
  clock_.pass(1);
  profiler_.begin("b");
  clock_.pass(1);
  profiler_.end();
  profiler_.begin("c");
  profiler_.end();
  clock_.pass(1);
  profiler_.end();
  EXPECT_THAT(recorded(), ElementsAre("a[0,3)", "b[1,2) in 0", "c[2,2) in 0"));
  EXPECT_EQ(profiler_.open_ranges(), 0u);
}

TEST_F(ProfilerTest, OpenRangesAreInTheRecordingAsOpen) {
  profiler_.begin("a");
  clock_.pass(7);
  EXPECT_THAT(recorded(), ElementsAre("a[0,7) open"));
  EXPECT_EQ(profiler_.open_ranges(), 1u);
}

TEST_F(ProfilerTest, AnEndWithoutABeginIsCounted) {
  profiler_.end();
  {
    const Range scoped = profiler_.range("only a Range ends this");
    profiler_.end();
    EXPECT_EQ(profiler_.open_ranges(), 1u);
  }
  EXPECT_EQ(profiler_.recording().unmatched_ends, 2);
}

TEST_F(ProfilerTest, AnOuterRangeMayEndBeforeOneInsideIt) {
  Range outer = profiler_.range("outer");
  clock_.pass(1);
  Range inner = profiler_.range("inner");
  clock_.pass(1);
  outer.end();
  clock_.pass(1);
  profiler_.range("while inner is open").end();
  inner.end();
  profiler_.range("after").end();
  EXPECT_THAT(recorded(), ElementsAre("outer[0,2)", "inner[1,3) in 0",
                                      "while inner is open[3,3) in 1", "after[3,3)"));
}

TEST_F(ProfilerTest, EndSkipsAScopeThatIsStillOpen) {
  profiler_.begin("begun");
  Range scoped = profiler_.range("scoped");
  clock_.pass(1);
  profiler_.end();
  clock_.pass(1);
  scoped.end();
  EXPECT_THAT(recorded(), ElementsAre("begun[0,1)", "scoped[0,2) in 0"));
}

TEST_F(ProfilerTest, ARangeEndsOnce) {
  Range range = profiler_.range("a");
  clock_.pass(1);
  range.end();
  clock_.pass(1);
  range.end();
  EXPECT_THAT(recorded(), ElementsAre("a[0,1)"));
}

TEST_F(ProfilerTest, AMovedRangeLivesOnInItsNewPlace) {
  std::optional<Range> kept;
  {
    Range range = profiler_.range("a");
    kept = std::move(range);
  }
  clock_.pass(3);
  kept.reset();
  Range other = profiler_.range("b");
  clock_.pass(1);
  other = profiler_.range("c");  // ends b, after c has begun
  clock_.pass(1);
  other.end();
  EXPECT_THAT(recorded(), ElementsAre("a[0,3)", "b[3,4)", "c[4,5) in 1"));
}

TEST_F(ProfilerTest, ARangeMayEndOnAnotherThread) {
  Range range = profiler_.range("a");
  clock_.pass(2);
  std::thread([moved = std::move(range)]() mutable { moved.end(); }).join();
  clock_.pass(2);
  profiler_.range("not inside it any more").end();
  EXPECT_THAT(recorded(), ElementsAre("a[0,2) moved", "not inside it any more[4,4)"));
}

TEST_F(ProfilerTest, EndAllEndsWhatWasBegunOnly) {
  profiler_.begin("a");
  Range scoped = profiler_.range("b");
  profiler_.begin("c");
  profiler_.end_all();
  EXPECT_EQ(profiler_.open_ranges(), 1u);
  scoped.end();
  EXPECT_EQ(profiler_.open_ranges(), 0u);
  EXPECT_EQ(profiler_.recording().unmatched_ends, 0);
}

TEST_F(ProfilerTest, NamesAreCopied) {
  std::string name = "first";
  profiler_.range(name).end();
  name = "other";  // the same address and length
  profiler_.range(name).end();
  name.clear();
  const Recording recording = profiler_.recording();
  EXPECT_EQ(recording.ranges[0].name, "first");
  EXPECT_EQ(recording.ranges[1].name, "other");
}

TEST_F(ProfilerTest, TakingLeavesTheOpenOnes) {
  std::vector<RangeRecord> taken;
  profiler_.begin("outer");
  profiler_.range("one").end();
  profiler_.take(taken);
  EXPECT_THAT(describe(taken), ElementsAre("one[0,0) in 0"));
  profiler_.range("two").end();
  clock_.pass(4);
  EXPECT_THAT(recorded(), ElementsAre("outer[0,4) open", "two[0,0) in 0"));
  profiler_.end();
  profiler_.take(taken);
  EXPECT_THAT(describe(taken), ElementsAre("outer[0,4)", "two[0,0) in 0"));
  profiler_.take(taken);
  EXPECT_THAT(taken, IsEmpty());
}

TEST_F(ProfilerTest, TakingBesideARangeThatNeverEndsLosesNothing) {
  const Range forever = profiler_.range("forever");
  std::vector<RangeRecord> taken;
  std::size_t sum = 0;
  for (int round = 0; round < 30; ++round) {
    for (int i = 0; i < 100; ++i) profiler_.range("step").end();
    profiler_.take(taken);
    sum += taken.size();
  }
  EXPECT_EQ(sum, 3000u);
  EXPECT_THAT(profiler_.recording().ranges, SizeIs(1));
}

TEST(Profiler, CountsWhatItHasNoRoomFor) {
  Profiler profiler({.most_ranges = 512});
  for (int i = 0; i < 510; ++i) profiler.range("kept").end();
  profiler.begin("kept");
  profiler.begin("kept");
  profiler.begin("dropped");
  profiler.end();  // that one
  profiler.range("dropped").end();
  EXPECT_EQ(profiler.open_ranges(), 2u);
  profiler.end();
  profiler.end();
  const Recording recording = profiler.recording();
  EXPECT_EQ(recording.dropped, 2);
  EXPECT_EQ(recording.unmatched_ends, 0);
  EXPECT_THAT(recording.ranges, SizeIs(512));
  EXPECT_FALSE(recording.ranges.back().open);
  std::vector<RangeRecord> taken;
  profiler.take(taken);
  profiler.range("room again").end();
  EXPECT_EQ(profiler.recording().ranges.size(), 1u);
}

TEST(Profiler, RangesOfTwoProfilersKeepApart) {
  Profiler a;
  auto b = std::make_unique<Profiler>();
  {
    const Range of_a = a.range("a");
    const Range of_b = b->range("b");
    EXPECT_EQ(a.open_ranges(), 1u);
  }
  EXPECT_THAT(b->recording().ranges, SizeIs(1));
  b = std::make_unique<Profiler>();
  EXPECT_THAT(b->recording().ranges, IsEmpty());
  EXPECT_THAT(a.recording().ranges, SizeIs(1));
}

TEST(Profiler, DeviceTimesAreReadLater) {
  HandDevice device;
  {
    Profiler profiler({.device = &device});
    Range range = profiler.range("forward");
    device.pass(40);
    range.end();
    device.pass(2);
    const Range open = profiler.range("open");
    const Recording recording = profiler.recording();
    EXPECT_EQ(recording.ranges[0].device_ns, 40);
    EXPECT_EQ(recording.ranges[1].device_ns, std::nullopt);
    std::vector<RangeRecord> taken;
    profiler.take(taken);
    EXPECT_EQ(taken[0].device_ns, 40);
    EXPECT_EQ(device.living(), 1u);  // of the open one
  }
  EXPECT_EQ(device.living(), 0u);
}

TEST(Profiler, ADeviceThatCannotSayLeavesTheTimeOut) {
  HandDevice device;
  device.broken = true;
  Profiler profiler({.device = &device});
  profiler.range("forward").end();
  EXPECT_EQ(profiler.recording().ranges[0].device_ns, std::nullopt);
}

TEST(Profiler, TakesSteadyTimeByDefault) {
  Profiler profiler;
  profiler.begin("outer");
  profiler.range("inner").end();
  profiler.end();
  const Recording recording = profiler.recording();
  const RangeRecord& outer = recording.ranges[0];
  const RangeRecord& inner = recording.ranges[1];
  EXPECT_LE(outer.begin_ns, inner.begin_ns);
  EXPECT_LE(inner.begin_ns, inner.end_ns);
  EXPECT_LE(inner.end_ns, outer.end_ns);
  EXPECT_LE(outer.end_ns, recording.taken_ns);
}

}  // namespace
}  // namespace batchscope::ranges
