#include "batchscope/monitor/profile_schedule.hpp"

#include <gtest/gtest.h>

#include "batchscope/stats/rng.hpp"

namespace batchscope::monitor {
namespace {

using Do = ProfileSchedule::Do;

TEST(ProfileSchedule, BeginsEveryNStepsAndEndsAfterM) {
  ProfileSchedule schedule({.every = 4, .steps = 2, .most_overhead = 0.5});
  std::vector<Do> seen;
  for (int step = 0; step < 10; ++step) seen.push_back(schedule.after_step(1));
  const auto n = Do::nothing;
  EXPECT_EQ(seen, (std::vector<Do>{n, n, n, Do::begin, n, Do::end, n, n, n, Do::begin}));
}

TEST(ProfileSchedule, TellsWhichStepsBearAProfile) {
  ProfileSchedule schedule({.every = 4, .steps = 2, .most_overhead = 0.5});
  std::vector<bool> profiled;
  for (int step = 0; step < 9; ++step) {
    schedule.after_step(1);
    profiled.push_back(schedule.profiled());
  }
  const std::vector<bool> two_and_the_next{0, 0, 0, 0, 1, 1, 1, 0, 0};
  EXPECT_EQ(profiled, two_and_the_next);
}

TEST(ProfileSchedule, OneThatCostsTooMuchIsEndedEarly) {
  ProfileSchedule schedule({.every = 100, .steps = 50, .most_overhead = 0.02});
  for (int step = 0; step < 100; ++step) schedule.after_step(1);
  int inside = 0;
  for (Do next = Do::nothing; next != Do::end; ++inside) next = schedule.after_step(2);
  EXPECT_EQ(inside, 3) << "each costs a second, of 102, 104, 106";
}

TEST(ProfileSchedule, WithoutANumberNothingBegins) {
  ProfileSchedule schedule({});
  for (int step = 0; step < 1000; ++step) EXPECT_EQ(schedule.after_step(1), Do::nothing);
  EXPECT_EQ(schedule.overhead(), 0);
}

// Profiled steps take several times as long, and writing the file takes seconds: whatever that is,
// the cost in the end is within the bound, but for the first profile, of which nothing is known.
TEST(ProfileSchedule, KeepsWithinItsBoundWhateverAProfileCosts) {
  stats::Rng rng(11);
  for (int round = 0; round < 200; ++round) {
    const double bound = 0.005 + 0.05 * rng.uniform(), slow = 1 + 9 * rng.uniform();
    const double writing = 30 * rng.uniform();
    ProfileSchedule schedule({.every = 100, .steps = 5, .most_overhead = bound});
    bool inside = false;
    double first = 0, total = 0;
    for (int step = 0; step < 50'000; ++step) {
      const double seconds = (inside ? slow : 1) * (0.9 + 0.2 * rng.uniform()) * 0.1;
      total += seconds;
      const Do next = schedule.after_step(seconds);
      if (next == Do::nothing) continue;
      inside = next == Do::begin;
      const double took = inside ? 0.01 : writing;
      total += took;
      schedule.took(took);
      if (schedule.profiles() == 1 && !inside) first = schedule.overhead() * total;
    }
    // One profile may cost twice the mean of those before it.
    EXPECT_LE(schedule.overhead(), bound + 1.1 * first / total);
    EXPECT_GE(schedule.profiles(), 1);
    EXPECT_TRUE(first <= bound * 10 || schedule.profiles() < 500) << first;
  }
}

TEST(ProfileSchedule, CheapProfilesAreAllMade) {
  ProfileSchedule schedule({.every = 100, .steps = 5, .most_overhead = 0.02});
  for (int step = 0; step < 10'500; ++step) schedule.after_step(0.1);
  EXPECT_EQ(schedule.profiles(), 100);
}

}  // namespace
}  // namespace batchscope::monitor
