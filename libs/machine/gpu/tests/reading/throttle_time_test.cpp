#include <gmock/gmock.h>

#include "read_gpus.hpp"

namespace batchscope::gpu {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Pair;

constexpr int kPowerCap = 0x4, kHardwareSlowdown = 0x8, kHardwareThermal = 0x40, kPowerBrake = 0x80;

// A machine of one GPU that has its power and these.
Json throttled(Json facts) {
  facts["power_milliwatts"] = 5000;
  return machine_of(Json::array({facts}));
}

TEST(ThrottleTime, IsTheDifferenceOfTheDriversCounters) {
  const DescribedGpus machine(throttled({{"violations_ns", {{"power", 700}, {"thermal", 705}}}}));
  ReadGpus gpus;
  EXPECT_THAT(gpus.read(0).throttle_ns_total,
              ElementsAre(Pair("power_cap", 0), Pair("thermal", 0)));
  machine.change(throttled({{"violations_ns", {{"power", 950}, {"thermal", 706}}}}));
  EXPECT_THAT(gpus.read(0).throttle_ns_total,
              ElementsAre(Pair("power_cap", 250), Pair("thermal", 1)));
}

TEST(ThrottleTime, ACounterThatFallsBeginsAnew) {
  const DescribedGpus machine(throttled({{"violations_ns", {{"power", 700}}}}));
  ReadGpus gpus;
  gpus.read(0);
  machine.change(throttled({{"violations_ns", {{"power", 1000}}}}));
  EXPECT_THAT(gpus.read(0).throttle_ns_total, ElementsAre(Pair("power_cap", 300)));
  machine.change(throttled({{"violations_ns", {{"power", 20}}}}));
  EXPECT_THAT(gpus.read(0).throttle_ns_total, ElementsAre(Pair("power_cap", 320)));
}

TEST(ThrottleTime, ACounterThatFailsOnceKeepsItsTotal) {
  const DescribedGpus machine(throttled({{"violations_ns", {{"power", 700}}}}));
  ReadGpus gpus;
  gpus.read(0);
  machine.change(throttled({{"violations_ns", {{"power", 1000}}}}));
  gpus.read(0);
  machine.change(throttled({{"violations_ns", {{"status", 999}}}}));
  EXPECT_THAT(gpus.read(0).throttle_ns_total, ElementsAre(Pair("power_cap", 300)));
  machine.change(throttled({{"violations_ns", {{"power", 1500}}}}));
  EXPECT_THAT(gpus.read(0).throttle_ns_total, ElementsAre(Pair("power_cap", 800)));
}

TEST(ThrottleTime, WithoutCountersItIsTheTimeUpToAReadingThatSawTheReason) {
  const DescribedGpus machine(
      throttled({{"throttle_reasons",
                  {{"series", {kPowerCap, kPowerCap, 0, kPowerBrake | kHardwareSlowdown, 0}}}}}));
  ReadGpus gpus;
  EXPECT_THAT(gpus.read(0).throttle_ns_total, Contains(Pair("power_cap", 0)));
  EXPECT_THAT(gpus.read(0).throttle_ns_total, Contains(Pair("power_cap", ReadGpus::kSecond)));
  EXPECT_THAT(gpus.read(0).throttle_ns_total, Contains(Pair("power_cap", ReadGpus::kSecond)));
  const auto braked = gpus.read(0);
  EXPECT_THAT(braked.throttle_reasons, ElementsAre("hardware_slowdown", "power_brake"));
  EXPECT_THAT(braked.throttle_ns_total,
              AllOf(Contains(Pair("power_brake", ReadGpus::kSecond)),
                    Contains(Pair("hardware_slowdown", ReadGpus::kSecond)),
                    Contains(Pair("thermal", 0)), Contains(Pair("power_cap", ReadGpus::kSecond))));
}

TEST(ThrottleTime, WhatTheDriverCountsIsNotCountedAgainByTheReason) {
  const DescribedGpus machine(throttled(
      {{"violations_ns", {{"thermal", 50}}}, {"throttle_reasons", kHardwareThermal | kPowerCap}}));
  ReadGpus gpus;
  gpus.read(0);
  EXPECT_THAT(gpus.read(0).throttle_ns_total,
              AllOf(Contains(Pair("thermal", 0)), Contains(Pair("power_cap", ReadGpus::kSecond))));
}

TEST(ThrottleTime, OfTheTimeWithoutAnAnswerNothingIsCounted) {
  const Json capped = throttled({{"throttle_reasons", kPowerCap}});
  const DescribedGpus machine(capped);
  ReadGpus gpus;
  gpus.read(0);
  machine.change(throttled({{"throttle_reasons", kPowerCap}, {"lost_after_calls", 0}}));
  gpus.answer(0);
  machine.change(capped);
  EXPECT_THAT(gpus.read(0).throttle_ns_total, Contains(Pair("power_cap", 0)));
  EXPECT_THAT(gpus.read(0).throttle_ns_total, Contains(Pair("power_cap", ReadGpus::kSecond)));
}

}  // namespace
}  // namespace batchscope::gpu
