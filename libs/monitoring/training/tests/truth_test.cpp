// Runs whose truth is known: docs/reference/truth.md has the rates.
#include <gtest/gtest.h>

#include <cctype>
#include <cstddef>
#include <string>

#include "training_scenes/families.hpp"

namespace batchscope::training_scenes {
namespace {

// Not those of the table.
constexpr uint64_t kFirstSeed = 900'000;
constexpr int kRuns = 30;

class Truth : public testing::TestWithParam<std::size_t> {};

TEST_P(Truth, IsReportedOfMostRuns) {
  const Family& family = families()[GetParam()];
  int right = 0;
  std::string wrong;
  for (int run = 0; run < kRuns; ++run) {
    const Verdict verdict = judge(family, kFirstSeed + static_cast<uint64_t>(run));
    right += verdict.right ? 1 : 0;
    if (!verdict.right) wrong += "\nrun " + std::to_string(run) + ": " + verdict.reported;
  }
  RecordProperty("right", right);
  EXPECT_GE(right, kRuns * (family.is_healthy ? 97 : 93) / 100)
      << family.name << wrong.substr(0, 6000);
}

INSTANTIATE_TEST_SUITE_P(Families, Truth, testing::Range(std::size_t{0}, families().size()),
                         [](const auto& of) {
                           std::string name;
                           for (const char c : families()[of.param].name) {
                             if (std::isalnum(static_cast<unsigned char>(c))) name.push_back(c);
                           }
                           return name;
                         });

}  // namespace
}  // namespace batchscope::training_scenes
