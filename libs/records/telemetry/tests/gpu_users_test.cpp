#include "batchscope/telemetry/gpu_users.hpp"

#include <gtest/gtest.h>

namespace batchscope::telemetry {
namespace {

// Process 7 is watched; GPU 0 and GPU 1 are used by those.
Sample watched(std::vector<GpuProcess> first, std::vector<GpuProcess> second) {
  Sample sample;
  sample.processes.resize(1);
  sample.processes[0].pid = 7;
  sample.gpus.resize(2);
  sample.gpus[0].processes = std::move(first);
  sample.gpus[1].processes = std::move(second);
  return sample;
}

bool first_may(const Sample& sample) {
  return may_be_theirs(sample.gpus[0], sample);
}

TEST(GpuUsers, AProcessThatIsWatchedIsOnIt) {
  EXPECT_TRUE(first_may(watched({{5, {}, false}, {7, {}, false}}, {})));
  EXPECT_FALSE(first_may(watched({{5, {}, false}}, {}))) << "another's";
}

TEST(GpuUsers, ItMayBeWhereTheDriverTellsOfNone) {
  EXPECT_TRUE(first_may(watched({}, {{7, {}, false}})));
}

TEST(GpuUsers, ItMayBeWhereNothingIsWatched) {
  Sample sample = watched({{5, {}, false}}, {});
  sample.processes.clear();
  EXPECT_TRUE(first_may(sample));
}

TEST(GpuUsers, InAContainerNumbersAreThoseOfTheHost) {
  EXPECT_TRUE(first_may(watched({{5, {}, true}}, {{6, {}, true}})));
  EXPECT_FALSE(first_may(watched({{5, {}, true}}, {{7, {}, false}}))) << "it is on another";
  EXPECT_FALSE(first_may(watched({{5, {}, true}, {6, {}, false}}, {}))) << "one is seen";
}

}  // namespace
}  // namespace batchscope::telemetry
