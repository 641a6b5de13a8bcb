#include <gtest/gtest.h>

#include "causes/overlap_budget.hpp"
#include "causes/thread_groups.hpp"
#include "made_trace.hpp"

namespace batchscope::attribution {
namespace {

using States = std::vector<HostSpan>;

HostSpan span(int64_t start, int64_t end, HostState state = HostState::launches) {
  return {start, end, state, 0};
}

ThreadGroups teams_of(const std::vector<States>& states, const std::vector<int64_t>& processes) {
  MadeTrace made;
  std::vector<uint32_t> tracks;
  for (size_t i = 0; i < states.size(); ++i) {
    tracks.push_back(static_cast<uint32_t>(made.thread(static_cast<int64_t>(i), processes[i])));
  }
  return ThreadGroups(made.made(), tracks,
                      [&](uint32_t track) -> const States& { return states[track]; });
}

TEST(ThreadGroups, ThreadsThatTakeTurnsAreOne) {
  const std::vector<States> states{{span(0, 100), span(200, 300)}, {span(98, 205), span(300, 400)}};
  const ThreadGroups teams = teams_of(states, {1, 1});
  EXPECT_EQ(teams.size(), 1U);
  EXPECT_EQ(teams.members(teams.number_of(1)), (std::vector<uint32_t>{0, 1}));
}

TEST(ThreadGroups, ThreadsThatWorkAtOnceAreTwo) {
  const std::vector<States> states{{span(0, 100), span(200, 300)}, {span(50, 250)}};
  const ThreadGroups teams = teams_of(states, {1, 1});
  EXPECT_EQ(teams.size(), 2U);
  EXPECT_NE(teams.number_of(0), teams.number_of(1));
}

TEST(ThreadGroups, ProcessesAreNever) {
  const std::vector<States> states{{span(0, 100)}, {span(200, 300)}};
  EXPECT_EQ(teams_of(states, {1, 2}).size(), 2U);
}

TEST(OverlapBudget, IsTheTimeWaitedWhileTheDeviceWasBusy) {
  const States main{span(0, 10), span(20, 50, HostState::waits)};
  const States other{span(100, 140, HostState::waits)};
  OverlapBudget credit({&main, &other}, {{INT64_MIN, 0}, {45, 60}, {130, INT64_MAX}});
  const auto taken = [&](int64_t wanted) {
    int64_t sum = 0;
    for (const OverlapBudget::Taken& each : credit.take(wanted)) sum += each.ns;
    return sum;
  };
  credit.advance(30);
  EXPECT_EQ(taken(100), 10);
  credit.advance(60);
  EXPECT_EQ(taken(100), 15);
  credit.advance(200);
  EXPECT_EQ(taken(10), 10);
  EXPECT_EQ(taken(100), 20);
  EXPECT_EQ(taken(100), 0);
}

TEST(OverlapBudget, NamesTheCallsThatWaitedTheOldestFirst) {
  HostSpan first = span(0, 10, HostState::waits);
  first.row = 3;
  HostSpan second = span(20, 25, HostState::waits);
  second.row = 7;
  const States main{first, second};
  OverlapBudget credit({&main}, {});
  credit.advance(100);
  EXPECT_EQ(credit.take(4), (std::vector<OverlapBudget::Taken>{{3, 4}}));
  EXPECT_EQ(credit.take(100), (std::vector<OverlapBudget::Taken>{{3, 6}, {7, 5}}));
}

}  // namespace
}  // namespace batchscope::attribution
