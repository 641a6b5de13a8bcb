#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "batchscope/advice/job.hpp"

namespace batchscope::advice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Of a wall of 1 ms, with collectives that last so many microseconds; they end together.
TraceSummary rank_of(std::optional<int> number, const std::vector<int64_t>& lengths) {
  TraceSummary summary;
  summary.rank = number;
  attribution::DeviceTime device;
  device.end_ns = 1'000'000;
  device.parts[attribution::Part::compute] = 1'000'000;
  summary.attribution.devices = {device};
  int64_t end = 0;
  for (const int64_t length : lengths) {
    end += 100'000;
    summary.collectives.push_back({"all_reduce", end - 1000 * length, end, 0, 1000 * length, ""});
  }
  return summary;
}

// Rank 1 is last in two of three, rank 0 in the other.
TEST(Ranks, OnlyTheCollectivesThatOneComesToLastAreWaitedForIt) {
  const JobSummary job = compare_ranks({rank_of(0, {9, 60, 70, 10}), rank_of(1, {9, 10, 20, 90})});
  ASSERT_EQ(job.findings.size(), 1U);
  EXPECT_THAT(
      job.findings.front().what,
      HasSubstr("wait for rank 1 for 10 % of their time: it arrives last at 2 of 4 collectives"));
  EXPECT_NEAR(job.findings.front().gain->high, 0.1, 1e-9);
}

// One rank sends something first that the other does not; the others are compared all the same.
TEST(Ranks, AreJudgedOverAllCollectivesThatTheyShare) {
  TraceSummary first = rank_of(0, {9, 60, 70, 60});
  first.collectives.insert(first.collectives.begin(), {"send", 0, 1000, 0, 1000, ""});
  const JobSummary job = compare_ranks({first, rank_of(1, {9, 10, 20, 10})});
  EXPECT_EQ(job.compared_collectives, 4);
  ASSERT_EQ(job.findings.size(), 1U);
  EXPECT_NEAR(job.findings.front().gain->high, 0.15, 1e-9);
}

// Rank 1 began to record 900 us later than rank 0, and is no slower.
TEST(Ranks, ThatBeginApartMeetInTheFirstCollective) {
  TraceSummary early = rank_of(0, {910, 30, 30});
  early.attribution.devices.front().start_ns = -900'000;
  const JobSummary job = compare_ranks({early, rank_of(1, {10, 30, 30})});
  EXPECT_TRUE(job.findings.empty());
  EXPECT_EQ(job.compared_collectives, 3);
  EXPECT_EQ(job.times[0].waited_ns, 0);
  EXPECT_EQ(job.times[1].last_to_arrive, 0);
}

TEST(Ranks, ThatBeginTogetherWaitInTheFirstCollectiveToo) {
  const JobSummary job = compare_ranks({rank_of(0, {90}), rank_of(1, {10})});
  EXPECT_EQ(job.compared_collectives, 1);
  EXPECT_EQ(job.times[0].waited_ns, 80'000);
  EXPECT_EQ(job.times[1].last_to_arrive, 1);
  ASSERT_EQ(job.findings.size(), 1U);
  EXPECT_EQ(std::get<findings::TraceStep>(job.findings.front().where).rank, 1);
}

TraceSummary in_group(TraceSummary rank, const std::string& group) {
  for (attribution::Collective& each : rank.collectives) each.group = group;
  return rank;
}

// Two pairs, of which only ranks 2 and 3 meet late; the second pair's clock is of another day.
TEST(Ranks, AreComparedWithThoseOfTheirGroup) {
  TraceSummary late = in_group(rank_of(2, {90, 90}), "[2, 3]");
  TraceSummary last = in_group(rank_of(3, {10, 10}), "[2, 3]");
  for (attribution::Collective& each : last.collectives) each.end_ns += 7'000;
  for (attribution::Collective& each : last.collectives) each.start_ns += 7'000;
  const JobSummary job = compare_ranks({in_group(rank_of(0, {10, 10}), "[0, 1]"),
                                        in_group(rank_of(1, {10, 10}), "[0, 1]"), late, last});
  std::vector<int64_t> waited, lasts, clocks, offsets;
  for (const RankTimes& times : job.times) {
    waited.push_back(times.waited_ns);
    lasts.push_back(times.last_to_arrive);
    clocks.push_back(times.clock_of);
    offsets.push_back(times.offset_ns);
  }
  EXPECT_EQ(job.compared_collectives, 4);
  EXPECT_THAT(waited, ElementsAre(0, 0, 160'000, 0));
  EXPECT_THAT(lasts, ElementsAre(0, 0, 0, 2)) << "where nobody waits nobody is last";
  EXPECT_THAT(clocks, ElementsAre(0, 0, 2, 2));
  EXPECT_THAT(offsets, ElementsAre(0, 0, 0, -7'000));
  ASSERT_EQ(job.findings.size(), 1U);
  EXPECT_THAT(job.findings.front().what, HasSubstr("ranks 2 and 3, the others wait for rank 3"));
  EXPECT_NEAR(job.findings.front().gain->high, 0.16, 1e-9);
}

// Rank 2 meets rank 0 in none, but rank 1, which does: one clock for all three.
TEST(Ranks, HaveAClockThroughOthers) {
  TraceSummary both = in_group(rank_of(1, {10, 10}), "[0, 1]");
  const TraceSummary second = in_group(rank_of(2, {10, 10}), "[1, 2]");
  for (attribution::Collective each : second.collectives) {
    each.end_ns += 5'000;
    both.collectives.push_back(each);
  }
  const JobSummary job = compare_ranks({in_group(rank_of(0, {10, 10}), "[0, 1]"), both, second});
  EXPECT_EQ(job.times[2].clock_of, 0);
  EXPECT_EQ(job.times[2].offset_ns, 5'000);
}

// The recording of rank 0 begins one collective earlier.
TEST(Ranks, ThatBeginEarlierArePairedByWhatEndsTogether) {
  TraceSummary early = rank_of(0, {90, 9, 60, 70, 60});
  early.collectives[0].end_ns -= 37'000;
  TraceSummary late = rank_of(1, {9, 10, 20, 10});
  for (attribution::Collective& each : late.collectives) {
    each.start_ns += 100'000;
    each.end_ns += 100'000;
  }
  const JobSummary job = compare_ranks({early, late});
  EXPECT_EQ(job.compared_collectives, 4);
  EXPECT_EQ(job.times[0].waited_ns, 150'000);
  EXPECT_EQ(job.times[1].offset_ns, 0);
}

TEST(Ranks, WhatIsWaitedBehindKernelsCostsNothing) {
  TraceSummary hidden = rank_of(0, {90, 90, 90});
  for (attribution::Collective& each : hidden.collectives) each.exposed_ns = 1000;
  EXPECT_TRUE(compare_ranks({hidden, rank_of(1, {10, 10, 10})}).findings.empty());
}

TEST(Ranks, NumbersThatAreMissingOrTakenAreGivenOut) {
  const JobSummary job =
      compare_ranks({rank_of({}, {}), rank_of(1, {}), rank_of(1, {}), rank_of({}, {})});
  std::vector<int> numbers;
  for (const RankTimes& times : job.times) numbers.push_back(times.rank);
  EXPECT_THAT(numbers, ElementsAre(1, 0, 2, 3));
}

}  // namespace
}  // namespace batchscope::advice
