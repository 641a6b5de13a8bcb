// The main function of all test programs. By itself it is GoogleTest's, flags and all; with
// --case-limit=SECONDS, as ctest calls it, the cases are supervised: one that hangs or crashes ends
// alone, with its stack, and the others go on.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string_view>

#include "supervisor.hpp"

namespace {

std::optional<double> case_limit(int argc, char** argv) {
  constexpr std::string_view kFlag = "--case-limit=";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.substr(0, kFlag.size()) == kFlag) return std::atof(argv[i] + kFlag.size());
  }
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  const auto limit = case_limit(argc, argv);
  if (limit) GTEST_FLAG_SET(brief, true);
  testing::InitGoogleTest(&argc, argv);
  // GoogleTest starts this program anew for a test of how something dies.
  if (!limit || testing::internal::InDeathTestChild()) return RUN_ALL_TESTS();
  return batchscope::testing::supervise(*limit);
}
