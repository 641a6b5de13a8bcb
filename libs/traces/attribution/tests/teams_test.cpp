#include "causes/teams.hpp"

#include <gtest/gtest.h>

#include "causes/wait_credit.hpp"
#include "made_trace.hpp"

namespace batchscope::attribution {
namespace {

using States = std::vector<HostStretch>;

HostStretch stretch(int64_t start, int64_t end, HostState state = HostState::launches) {
  return {start, end, state, 0};
}

Teams teams_of(const std::vector<States>& states, const std::vector<int64_t>& processes) {
  MadeTrace made;
  std::vector<uint32_t> tracks;
  for (size_t i = 0; i < states.size(); ++i) {
    tracks.push_back(static_cast<uint32_t>(made.thread(static_cast<int64_t>(i), processes[i])));
  }
  return Teams(made.made(), tracks, [&](uint32_t track) -> const States& { return states[track]; });
}

TEST(Teams, ThreadsThatTakeTurnsAreOne) {
  const std::vector<States> states{{stretch(0, 100), stretch(200, 300)},
                                   {stretch(98, 205), stretch(300, 400)}};
  const Teams teams = teams_of(states, {1, 1});
  EXPECT_EQ(teams.size(), 1U);
  EXPECT_EQ(teams.members(teams.number_of(1)), (std::vector<uint32_t>{0, 1}));
}

TEST(Teams, ThreadsThatWorkAtOnceAreTwo) {
  const std::vector<States> states{{stretch(0, 100), stretch(200, 300)}, {stretch(50, 250)}};
  const Teams teams = teams_of(states, {1, 1});
  EXPECT_EQ(teams.size(), 2U);
  EXPECT_NE(teams.number_of(0), teams.number_of(1));
}

TEST(Teams, ProcessesAreNever) {
  const std::vector<States> states{{stretch(0, 100)}, {stretch(200, 300)}};
  EXPECT_EQ(teams_of(states, {1, 2}).size(), 2U);
}

TEST(WaitCredit, IsTheTimeWaitedWhileTheDeviceWasBusy) {
  const States main{stretch(0, 10), stretch(20, 50, HostState::waits)};
  const States other{stretch(100, 140, HostState::waits)};
  WaitCredit credit({&main, &other}, {{INT64_MIN, 0}, {45, 60}, {130, INT64_MAX}});
  const auto taken = [&](int64_t wanted) {
    int64_t sum = 0;
    for (const WaitCredit::Taken& each : credit.take(wanted)) sum += each.ns;
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

TEST(WaitCredit, NamesTheCallsThatWaitedTheOldestFirst) {
  HostStretch first = stretch(0, 10, HostState::waits);
  first.row = 3;
  HostStretch second = stretch(20, 25, HostState::waits);
  second.row = 7;
  const States main{first, second};
  WaitCredit credit({&main}, {});
  credit.advance(100);
  EXPECT_EQ(credit.take(4), (std::vector<WaitCredit::Taken>{{3, 4}}));
  EXPECT_EQ(credit.take(100), (std::vector<WaitCredit::Taken>{{3, 6}, {7, 5}}));
}

}  // namespace
}  // namespace batchscope::attribution
