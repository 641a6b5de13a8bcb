#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_machine.hpp"

namespace batchscope::capacity {
namespace {

using testing::HasSubstr;

class MaxBatchOnADevice : public MaxBatchRun {};

schema::MaxBatchSettings plan_of_device() {
  schema::MaxBatchSettings plan = plan_of();
  plan.limit_of = "the memory of cuda:0";
  plan.limit_held = false;
  return plan;
}

// The soak of a size that ran out of memory or took too much, else nothing.
std::optional<schema::Probe> failed_soak(const schema::RunFile& run, int64_t batch_size) {
  for (const schema::Probe& probe : run.probes) {
    const bool failed = !probe.outcome.empty() && probe.outcome != ProbeOutcome::fits;
    if (failed && probe.purpose == ProbePurpose::soak && probe.batch_size == batch_size)
      return probe;
  }
  return std::nullopt;
}

TEST_F(MaxBatchOnADevice, WhatADevicesAllocatorKeepsMakesTheSafeSizeNoSmaller) {
  Machine machine;
  machine.device_bytes = kLimit;
  schema::RunFile run = new_run(plan_of_device());
  search(machine, run, plan_of_device());
  const FoundBatch found = found_batches(run, plan_of_device()).front();
  EXPECT_EQ(found.largest, 90);
  EXPECT_EQ(found.safe, 85);
  ASSERT_TRUE(found.soak);
  EXPECT_EQ(found.soak->peak_bytes, 950 * kMiB);
  EXPECT_EQ(found.soak->reserved_bytes, 950 * kMiB) << "all that there was";
  EXPECT_EQ(peak_words(*found.soak), "950 MiB (allocated; 950 MiB reserved)");
  EXPECT_EQ(machine.held_back.back(), kLimit - found.safe_bytes);
  machine.held_back.pop_back();
  EXPECT_THAT(machine.held_back, testing::Each(0)) << "the largest batch may have all of it";
}

TEST_F(MaxBatchOnADevice, TheMarginOfADeviceIsFreeWhateverItsAllocatorLoses) {
  Machine machine;
  machine.device_bytes = kLimit;
  machine.lost = 15 * kMiB;
  schema::RunFile run = new_run(plan_of_device());
  search(machine, run, plan_of_device());
  const FoundBatch found = found_batches(run, plan_of_device()).front();
  EXPECT_EQ(found.largest, 88);
  EXPECT_EQ(found.safe, 83) << "85 would be allocated 950 MiB, and need 965";
  const auto failed = failed_soak(run, 85);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->outcome, ProbeOutcome::out_of_memory);
  EXPECT_THAT(failed->message, HasSubstr("batchscope held back 50.0 MiB of the device's memory"));
}

TEST_F(MaxBatchOnADevice, ADeviceThatHasMoreByNowDoesNotRaiseItsLimit) {
  Machine machine;
  machine.device_bytes = 2 * kLimit;
  machine.soak_extra = 30 * kMiB;
  schema::RunFile run = new_run(plan_of_device());
  search(machine, run, plan_of_device());
  EXPECT_EQ(found_batches(run, plan_of_device()).front().safe, 81);
  const auto failed = failed_soak(run, 85);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->outcome, ProbeOutcome::failed);
  EXPECT_THAT(failed->message, HasSubstr("980 MiB (allocated; 1.90 GiB reserved)"));
}

}  // namespace
}  // namespace batchscope::capacity
