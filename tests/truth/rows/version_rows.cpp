// A new version against an old one: pairs of laws drawn at random, measured interleaved.
#include <fmt/format.h>

#include <cmath>

#include "batchscope/stats/rng.hpp"
#include "experiment.hpp"
#include "row.hpp"

namespace batchscope::truth {
namespace {

using findings::VersionComparison;
using findings::VersionVerdict;

constexpr double kMargin = 0.02;
const char* const kTopic = "Versions compared, margin 2 %, 12 blocks";

// The same law twice, the second time slower by a factor; 1 to 20 ms, and 0.5 to 10 ms a sample.
Experiment pair_of(uint64_t seed, double factor, const std::string& noise,
                   std::vector<int64_t> sizes) {
  stats::Rng rng(stats::mix_seed(seed, 0x1a3));
  const double base = std::exp(rng.uniform() * std::log(20.0));
  const double sample = 0.5 * std::exp(rng.uniform() * std::log(20.0));
  const auto law = [&](double by, const char* zero) {
    return fmt::format("affine:{:.6f}{}ms,{:.6f}ms{}", base * by, zero, sample * by, noise);
  };
  // Two names where the laws are equal: the specs differ in a digit that changes nothing.
  return {{law(1, ""), law(factor, "0")}, std::move(sizes), 12, seed};
}

VersionComparison compared(uint64_t seed, double factor, const std::string& noise,
                           std::vector<int64_t> sizes = {1, 8, 32}) {
  return compare_versions(pair_of(seed, factor, noise, std::move(sizes)), kMargin);
}

Row verdict(const std::string& what, Goal goal, double factor, const std::string& noise,
            VersionVerdict wanted) {
  return {kTopic, "versions: " + what, goal,
          [=](uint64_t seed) { return compared(seed, factor, noise).verdict == wanted; }};
}

// No more than the margin slower, it says, of what is a little more.
Row passed_wrongly(const std::string& what, const std::string& noise) {
  return {kTopic,
          "versions: 2.01 % slower, " + what + ": called no slower",
          {std::nullopt, 0.05},
          [=](uint64_t seed) {
            const auto found = compared(seed, 1.0201, noise).verdict;
            return found != VersionVerdict::slower && found != VersionVerdict::cannot_tell;
          }};
}

// What an equal pair says would be seen, planted in a fresh pair.
Row smallest_difference(const std::string& what, const std::string& noise) {
  return {
      kTopic,
      "versions: one size, " + what + ": a slow-down of the size stated by an equal pair is shown",
      {0.8, std::nullopt},
      [=](uint64_t seed) {
        const auto equal = compared(seed, 1, noise, {8});
        const double factor = 1 + equal.detectable.value_or(0);
        const uint64_t fresh = stats::mix_seed(seed, 0xf5e5);
        return compared(fresh, factor, noise, {8}).verdict == VersionVerdict::slower;
      }};
}

}  // namespace

std::vector<Row> version_rows() {
  const Goal at_most_5{std::nullopt, 0.05};
  const std::string usual = kUsualNoise, still = kStillNoise, loud = kLoudNoise;
  std::vector<Row> rows = {
      verdict("10 % slower, the usual noise: called slower", {0.99, std::nullopt}, 1.1, usual,
              VersionVerdict::slower),
      verdict("5 % slower, the usual noise: called slower", {0.95, std::nullopt}, 1.05, usual,
              VersionVerdict::slower),
      verdict("5 % slower, a still machine: called slower", {0.99, std::nullopt}, 1.05, still,
              VersionVerdict::slower),
      verdict("5 % faster, the usual noise: called faster", {0.95, std::nullopt}, 1 / 1.05, usual,
              VersionVerdict::faster),
      verdict("equal, a still machine: called equal", {0.95, std::nullopt}, 1, still,
              VersionVerdict::equal),
      verdict("equal, the usual noise: called slower", at_most_5, 1, usual, VersionVerdict::slower),
      verdict("equal, the usual noise: called faster", at_most_5, 1, usual, VersionVerdict::faster),
      verdict("equal, visit noise 3 %, process 2 %: called slower", at_most_5, 1, loud,
              VersionVerdict::slower),
      passed_wrongly("the usual noise", usual),
      passed_wrongly("a still machine", still),
      smallest_difference("the usual noise", usual),
      smallest_difference("visit noise 3 %, process 2 %", loud),
  };
  // Missed under the usual noise: 5 % is shown in about four of five, the size stated in about two
  // of three.
  for (const std::size_t missed : {1U, 3U, 10U, 11U}) rows[missed].tested = false;
  return rows;
}

}  // namespace batchscope::truth
