#include "thread_team.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <latch>

namespace batchscope::openvino_plugin {
namespace {

TEST(ThreadTeam, DoesEveryPartOnceInEveryRound) {
  ThreadTeam team(4);
  EXPECT_EQ(team.size(), 4);
  std::array<std::atomic<int>, 4> done{};
  for (int round = 0; round < 1000; ++round) {
    team.run(round % 5, [&](int part) { ++done[static_cast<std::size_t>(part)]; });
  }
  EXPECT_EQ(done[0], 800);
  EXPECT_EQ(done[1], 600);
  EXPECT_EQ(done[2], 400);
  EXPECT_EQ(done[3], 200);
}

// Each part waits for the others: were two on one thread, none would end.
TEST(ThreadTeam, PartsRunAtTheSameTime) {
  ThreadTeam team(3);
  for (int round = 0; round < 10; ++round) {
    std::latch all(3);
    team.run(3, [&](int) { all.arrive_and_wait(); });
  }
}

TEST(ThreadTeam, TheFirstPartStaysWithTheCaller) {
  ThreadTeam team(2);
  std::array<std::thread::id, 2> ids;
  team.run(2, [&](int part) { ids[static_cast<std::size_t>(part)] = std::this_thread::get_id(); });
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_NE(ids[1], ids[0]);
}

TEST(ThreadTeam, OfOneHasNoOtherThread) {
  ThreadTeam team(1);
  int sum = 0;
  team.run(1, [&](int part) { sum += part + 1; });
  team.run(0, [&](int) { sum = 100; });
  EXPECT_EQ(sum, 1);
}

}  // namespace
}  // namespace batchscope::openvino_plugin
