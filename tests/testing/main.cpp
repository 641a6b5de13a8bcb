// The main function of all test programs. By itself it is GoogleTest's, flags and all; with
// --case-limit=SECONDS, as ctest calls it, the cases are supervised: one that hangs or crashes ends
// alone, with its stack, and the others go on.
#include <gtest/gtest.h>

#include <algorithm>
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

// GoogleTest starts this program anew for a test of how something dies.
bool is_to_die(int argc, char** argv) {
  constexpr std::string_view kFlag = "--gtest_internal_run_death_test";
  const auto has_flag = [&](std::string_view word) {
    return word.substr(0, kFlag.size()) == kFlag;
  };
  return std::any_of(argv, argv + argc, has_flag);
}

}  // namespace

int main(int argc, char** argv) {
  const auto limit = is_to_die(argc, argv) ? std::nullopt : case_limit(argc, argv);
  if (limit) GTEST_FLAG_SET(brief, true);
  testing::InitGoogleTest(&argc, argv);
  if (!limit) return RUN_ALL_TESTS();
  return batchscope::testing::supervise(*limit);
}
