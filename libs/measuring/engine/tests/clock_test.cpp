#include "batchscope/engine/clock.hpp"

#include <gtest/gtest.h>

namespace batchscope::engine {
namespace {

TEST(SteadyClock, NeverGoesBack) {
  const Clock& clock = steady_clock();
  int64_t last = clock.now_ns();
  for (int i = 0; i < 1000; ++i) {
    const int64_t now = clock.now_ns();
    ASSERT_GE(now, last);
    last = now;
  }
  EXPECT_EQ(clock.kind(), schema::ClockKind::steady);
}

}  // namespace
}  // namespace batchscope::engine
