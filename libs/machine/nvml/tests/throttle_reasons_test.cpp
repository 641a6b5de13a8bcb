#include "batchscope/nvml/throttle_reasons.hpp"

#include <gmock/gmock.h>

namespace batchscope::nvml {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ThrottleReasons, IdleAloneIsNone) {
  EXPECT_THAT(decode_throttle_reasons(0x1), IsEmpty());
  EXPECT_THAT(decode_throttle_reasons(0x60),
              ElementsAre(ThrottleReason::software_thermal, ThrottleReason::hardware_thermal));
}

TEST(ThrottleReasons, NamesAndSlowdowns) {
  EXPECT_EQ(to_string(ThrottleReason::power_brake), "power brake");
  EXPECT_TRUE(is_slowdown(ThrottleReason::software_thermal));
  EXPECT_FALSE(is_slowdown(ThrottleReason::application_clocks));
  EXPECT_FALSE(is_slowdown(ThrottleReason::unknown));
}

}  // namespace
}  // namespace batchscope::nvml
