#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <string>

#include "batchscope/base/subprocess.hpp"

namespace batchscope::base {
namespace {

TEST(Process, ExistsWhoeverOwnsIt) {
  constexpr int64_t kBeyondAll = (1 << 22) + 1;  // the kernel gives none above 2^22
  EXPECT_TRUE(process_exists(getpid()));
  EXPECT_TRUE(process_exists(1));
  EXPECT_FALSE(process_exists(kBeyondAll));
}

TEST(Process, SignalsHaveNamesOrNumbers) {
  EXPECT_EQ(signal_name(SIGKILL), "SIGKILL");
  EXPECT_EQ(signal_name(SIGRTMIN + 3), "signal " + std::to_string(SIGRTMIN + 3));
}

}  // namespace
}  // namespace batchscope::base
