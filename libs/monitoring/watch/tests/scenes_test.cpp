// Machines whose trouble is known, each drawn many times: docs/reference/truth.md has the rates.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "monitor_scenes/families.hpp"
#include "monitor_scenes/verdict.hpp"

namespace batchscope::monitor_scenes {
namespace {

// Not those of the table.
constexpr uint64_t kFirstSeed = 900'000;
constexpr int kScenes = 50;  // a family

class Scenes : public testing::TestWithParam<std::size_t> {};

// Of all scenes, rounded up.
constexpr int at_least(int percent) {
  return (kScenes * percent + 99) / 100;
}

int least_right(Nature nature) {
  if (nature == Nature::faulty) return at_least(95);
  return nature == Nature::healthy ? at_least(98) : 0;
}

TEST_P(Scenes, AreJudgedRightly) {
  const Family& family = families()[GetParam()];
  int right = 0;
  std::string wrong;
  for (int i = 0; i < kScenes; ++i) {
    const Verdict verdict = judge(family, kFirstSeed + static_cast<uint64_t>(i));
    right += verdict.right ? 1 : 0;
    if (!verdict.right) wrong += fmt::format("\n  scene {}:{}", i, verdict.reported);
  }
  fmt::print("{}: {} of {}\n", family.name, right, kScenes);
  EXPECT_GE(right, least_right(family.nature)) << family.name << wrong;
}

INSTANTIATE_TEST_SUITE_P(Family, Scenes, testing::Range(std::size_t{0}, families().size()));

}  // namespace
}  // namespace batchscope::monitor_scenes
