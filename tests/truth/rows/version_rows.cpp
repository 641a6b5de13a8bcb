// A new version against an old one: pairs of laws drawn at random, measured interleaved.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "batchscope/stats/rng.hpp"
#include "experiment.hpp"
#include "row.hpp"

namespace batchscope::truth {
namespace {

using findings::VersionComparison;
using findings::VersionRow;
using findings::VersionVerdict;

constexpr double kMargin = 0.02;
constexpr int64_t kOneSize = 8;
const char* const kTopic = "Versions compared, margin 2 %, 12 blocks";

// By what the new version is slower: at every size, and once more at one of them.
struct Slower {
  double everywhere = 1;
  double at_one_size = 1;
};

// The same law twice, the second time slower; 1 to 20 ms, and 0.5 to 10 ms a sample.
Experiment pair_of(uint64_t seed, const Slower& slower, const std::string& noise,
                   std::vector<int64_t> sizes) {
  stats::Rng rng(stats::mix_seed(seed, 0x1a3));
  const double base = std::exp(rng.uniform() * std::log(20.0));
  const double sample = 0.5 * std::exp(rng.uniform() * std::log(20.0));
  const auto law = [&](const Slower& by, const char* zero) {
    return fmt::format("affine:{:.6f}{}ms,{:.6f}ms;anomaly={}:{:.6f}{}", base * by.everywhere, zero,
                       sample * by.everywhere, kOneSize, by.at_one_size, noise);
  };
  // Two names where the laws are equal: the specs differ in a digit that changes nothing.
  return {{law({}, ""), law(slower, "0")}, std::move(sizes), 12, seed};
}

std::vector<int64_t> three_sizes() {
  return {1, kOneSize, 32};
}

VersionComparison compared(uint64_t seed, const Slower& slower, const std::string& noise,
                           const std::vector<int64_t>& sizes = three_sizes()) {
  return compare_versions(pair_of(seed, slower, noise, sizes), kMargin);
}

Row verdict(const std::string& what, Goal goal, double factor, const std::string& noise,
            VersionVerdict wanted) {
  return {kTopic, "versions: " + what, goal,
          [=](uint64_t seed) { return compared(seed, {factor}, noise).verdict == wanted; }};
}

// The two outcomes that an equal pair may have.
Row passed_or_open(const std::string& what, const std::string& noise) {
  return {kTopic,
          "versions: equal, " + what +
              ": passed, or cannot tell and states the smallest difference it would show",
          {0.95, std::nullopt},
          [=](uint64_t seed) {
            const VersionComparison found = compared(seed, {}, noise);
            if (found.verdict == VersionVerdict::cannot_tell) return found.detectable.has_value();
            return found.verdict == VersionVerdict::equal ||
                   found.verdict == VersionVerdict::not_slower;
          }};
}

// No more than the margin slower, it says, of what is a little more.
Row passed_wrongly(const std::string& what, const std::string& noise) {
  return {kTopic,
          "versions: 2.01 % slower, " + what + ": called no slower",
          {std::nullopt, 0.05},
          [=](uint64_t seed) {
            const auto found = compared(seed, {1.0201}, noise).verdict;
            return found != VersionVerdict::slower && found != VersionVerdict::cannot_tell;
          }};
}

const VersionRow& row_of_one_size(const VersionComparison& comparison) {
  return *std::find_if(comparison.rows.begin(), comparison.rows.end(), [](const VersionRow& row) {
    return row.config.shape.batch_size == kOneSize;
  });
}

// What an equal pair says would be seen at one size, planted there in a fresh pair.
Row smallest_difference(const std::string& what, const std::string& noise,
                        const std::vector<int64_t>& sizes) {
  const std::string of =
      sizes.size() == 1 ? "one size" : fmt::format("slower at one of {} sizes", sizes.size());
  return {kTopic,
          fmt::format("versions: {}, {}: a slow-down of the size stated by an equal pair is shown",
                      of, what),
          {0.8, std::nullopt},
          [=](uint64_t seed) {
            const VersionComparison equal = compared(seed, {}, noise, sizes);
            const double planted = 1 + row_of_one_size(equal).detectable.value_or(0);
            const uint64_t fresh = stats::mix_seed(seed, 0xf5e5);
            const VersionComparison found = compared(fresh, {1, planted}, noise, sizes);
            return row_of_one_size(found).verdict == VersionVerdict::slower;
          }};
}

}  // namespace

std::vector<Row> version_rows() {
  const Goal at_most_5{std::nullopt, 0.05};
  const std::string usual = kUsualNoise, still = kStillNoise, loud = kLoudNoise;
  return {
      verdict("10 % slower, the usual noise: called slower", {0.99, std::nullopt}, 1.1, usual,
              VersionVerdict::slower),
      verdict("5 % slower, the usual noise: called slower", {0.9, std::nullopt}, 1.05, usual,
              VersionVerdict::slower),
      verdict("5 % slower, a still machine: called slower", {0.99, std::nullopt}, 1.05, still,
              VersionVerdict::slower),
      verdict("10 % slower, visit noise 3 %, process 2 %: called slower", {0.95, std::nullopt}, 1.1,
              loud, VersionVerdict::slower),
      verdict("5 % faster, the usual noise: called faster", {0.75, std::nullopt}, 1 / 1.05, usual,
              VersionVerdict::faster),
      verdict("5 % faster, a still machine: called faster", {0.99, std::nullopt}, 1 / 1.05, still,
              VersionVerdict::faster),
      verdict("equal, a still machine: called equal", {0.95, std::nullopt}, 1, still,
              VersionVerdict::equal),
      passed_or_open("the usual noise", usual),
      passed_or_open("visit noise 3 %, process 2 %", loud),
      verdict("equal, the usual noise: called slower", at_most_5, 1, usual, VersionVerdict::slower),
      verdict("equal, the usual noise: called faster", at_most_5, 1, usual, VersionVerdict::faster),
      verdict("equal, visit noise 3 %, process 2 %: called slower", at_most_5, 1, loud,
              VersionVerdict::slower),
      verdict("2 % slower, as the margin, the usual noise: called slower", at_most_5, 1.02, usual,
              VersionVerdict::slower),
      passed_wrongly("the usual noise", usual),
      passed_wrongly("a still machine", still),
      smallest_difference("the usual noise", usual, {kOneSize}),
      smallest_difference("visit noise 3 %, process 2 %", loud, {kOneSize}),
      smallest_difference("the usual noise", usual, three_sizes()),
  };
}

}  // namespace batchscope::truth
