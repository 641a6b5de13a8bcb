#include "driver/status.hpp"

#include <gtest/gtest.h>

namespace batchscope::nvml {
namespace {

TEST(Status, WhatIsRefusedIsNotAskedAgain) {
  for (const Status status : {kNotSupported, kNoPermission, kFunctionNotFound, kInvalidArgument,
                              kArgumentVersionMismatch, kDeprecated}) {
    EXPECT_EQ(outcome_of(status), Outcome::refused) << status;
  }
}

TEST(Status, ALostGpuIsNoLostDriver) {
  for (const Status status : {kGpuIsLost, kResetRequired, kTimeout}) {
    EXPECT_EQ(outcome_of(status), Outcome::gpu_silent) << status;
  }
  for (const Status status : {kUninitialized, kDriverNotLoaded, kLibraryVersionMismatch}) {
    EXPECT_EQ(outcome_of(status), Outcome::driver_absent) << status;
  }
}

TEST(Status, WhatHasNoRowFailedThisTime) {
  constexpr Status kInUse = 19;
  EXPECT_EQ(outcome_of(kInUse), Outcome::failed);
  EXPECT_EQ(in_words(kInUse), "NVML error 19");
  EXPECT_EQ(outcome_of(kUnknown), Outcome::failed);
}

TEST(Status, Words) {
  EXPECT_EQ(in_words(kGpuIsLost), "GPU is lost");
  EXPECT_EQ(in_words(kResetRequired), "GPU needs a reset");
}

}  // namespace
}  // namespace batchscope::nvml
