#include "batchscope/engines/sorted_cycle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

namespace batchscope::engines {
namespace {

using Lengths = std::vector<int64_t>;

// A text costs these, with padding and without.
struct Means {
  double real = 0, padded = 0;

  double padding() const { return 1 - real / padded; }
};

Means means_of(const Lengths& ordered, std::size_t batch) {
  Means means;
  for (std::size_t first = 0; first < ordered.size(); first += batch) {
    const auto begin = ordered.begin() + static_cast<std::ptrdiff_t>(first);
    const auto size = std::min(batch, ordered.size() - first);
    const auto end = begin + static_cast<std::ptrdiff_t>(size);
    means.real += static_cast<double>(std::accumulate(begin, end, int64_t{0}));
    means.padded += static_cast<double>(*std::max_element(begin, end)) * static_cast<double>(size);
  }
  means.real /= static_cast<double>(ordered.size());
  means.padded /= static_cast<double>(ordered.size());
  return means;
}

Lengths cycle_of(const Lengths& lengths, const SortedWork& work) {
  Lengths cycle;
  for (const std::size_t place : sorted_cycle(lengths, work)) cycle.push_back(lengths[place]);
  return cycle;
}

// What a job does: sorts each window of the texts as they come, and cuts it into batches.
Means brute_force(Lengths lengths, std::size_t window, std::size_t batch) {
  for (std::size_t first = 0; first < lengths.size(); first += window) {
    const auto begin = lengths.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, begin + static_cast<std::ptrdiff_t>(std::min(window, lengths.size() - first)),
              std::greater<>());
  }
  return means_of(lengths, batch);
}

struct Law {
  const char* name;
  std::function<double(std::mt19937_64&)> draw;
  double most;
};

double lognormal(std::mt19937_64& random, double median, double spread) {
  return std::lognormal_distribution<double>(std::log(median), spread)(random);
}

const std::vector<Law>& laws() {
  static const std::vector<Law> kLaws = {
      {"lognormal", [](auto& r) { return lognormal(r, 41, 0.8); }, 256},
      {"wide", [](auto& r) { return lognormal(r, 40, 1.2); }, 512},
      {"narrow", [](auto& r) { return lognormal(r, 100, 0.3); }, 512},
      {"uniform", [](auto& r) { return std::uniform_real_distribution<double>(3, 256)(r); }, 256},
      {"one length", [](auto&) { return 64.0; }, 64}};
  return kLaws;
}

Lengths drawn(const Law& law, int64_t n, std::mt19937_64& random) {
  Lengths lengths;
  for (int64_t i = 0; i < n; ++i) {
    lengths.push_back(std::llround(std::clamp(law.draw(random), 2.0, law.most)));
  }
  return lengths;
}

void expect_near(const Means& found, const Means& truth, double bound) {
  EXPECT_NEAR(found.real / truth.real, 1, bound);
  EXPECT_NEAR(found.padded / truth.padded, 1, bound);
  EXPECT_NEAR(found.padding(), truth.padding(), bound);
}

TEST(SortedCycle, IsForAllTextsSorted) {
  std::mt19937_64 random(1);
  for (const Law& law : laws()) {
    for (const int64_t n : {1000, 4000}) {
      const Lengths lengths = drawn(law, n, random);
      for (const int64_t batch : {1, 2, 3, 8, 16, 32, 50}) {
        SCOPED_TRACE(testing::Message() << law.name << ", " << n << " texts, batch " << batch);
        const Lengths cycle = cycle_of(lengths, {n, n, batch});
        EXPECT_LE(cycle.size(), static_cast<std::size_t>(64 * batch));
        expect_near(
            means_of(cycle, static_cast<std::size_t>(batch)),
            brute_force(lengths, static_cast<std::size_t>(n), static_cast<std::size_t>(batch)),
            0.02);
      }
    }
  }
}

TEST(SortedCycle, IsForTextsSortedWindowByWindow) {
  std::mt19937_64 random(2);
  for (const Law& law : laws()) {
    const Lengths lengths = drawn(law, 4000, random);
    for (const int64_t window : {32, 64, 256, 1024}) {
      for (const int64_t batch : {1, 4, 16, 32}) {
        SCOPED_TRACE(testing::Message() << law.name << ", window " << window << ", " << batch);
        expect_near(
            means_of(cycle_of(lengths, {4000, window, batch}), static_cast<std::size_t>(batch)),
            brute_force(lengths, static_cast<std::size_t>(window), static_cast<std::size_t>(batch)),
            0.03);
      }
    }
  }
}

// All padding is in the one batch that has both lengths.
TEST(SortedCycle, IsForTextsOfTwoLengths) {
  std::mt19937_64 random(6);
  const Law law{"two", [](auto& r) { return r() % 4 == 0 ? 200.0 : 10.0; }, 256};
  const Lengths lengths = drawn(law, 4000, random);
  for (const std::size_t batch : {4U, 32U}) {
    expect_near(means_of(cycle_of(lengths, {4000, 4000, static_cast<int64_t>(batch)}), batch),
                brute_force(lengths, 4000, batch), 0.04);
  }
}

// What is off is off by chance, to either side.
TEST(SortedCycle, IsUnbiased) {
  constexpr int kFiles = 40;
  std::mt19937_64 random(7);
  for (const int64_t window : {64, 2000}) {
    double real = 0, padded = 0;
    for (int i = 0; i < kFiles; ++i) {
      const Lengths lengths = drawn(laws().front(), 2000, random);
      const Means found = means_of(cycle_of(lengths, {2000, window, 32}), 32);
      const Means truth = brute_force(lengths, static_cast<std::size_t>(window), 32);
      real += (found.real / truth.real - 1) / kFiles;
      padded += (found.padded / truth.padded - 1) / kFiles;
    }
    EXPECT_NEAR(real, 0, 0.003) << window;
    EXPECT_NEAR(padded, 0, 0.003) << window;
  }
}

// Of a file with more texts than are looked at, those that were stand for the others too.
TEST(SortedCycle, IsForMoreTextsThanWereSeen) {
  std::mt19937_64 random(3);
  const Law& law = laws().front();
  const Lengths all = drawn(law, 100'000, random);
  const Lengths seen(all.begin(), all.begin() + kMostTextsSeen);
  const Means truth = brute_force(seen, seen.size(), 1);
  for (const std::size_t batch : {8U, 64U}) {
    const Means found =
        means_of(cycle_of(seen, {100'000, 100'000, static_cast<int64_t>(batch)}), batch);
    EXPECT_NEAR(found.real / truth.real, 1, 0.01);
    EXPECT_NEAR(found.padding(), brute_force(all, all.size(), batch).padding(), 0.002);
  }
}

TEST(SortedCycle, HoldsAllBatchesWhereThereAreFew) {
  EXPECT_THAT(cycle_of({3, 9, 4, 8}, {4, 4, 2}), testing::ElementsAre(9, 8, 4, 3));
  EXPECT_THAT(cycle_of({3, 9}, {2, 2, 4}), testing::ElementsAre(9, 9, 3, 3));
  EXPECT_THAT(cycle_of({0, 0}, {2, 2, 1}), testing::ElementsAre(0, 0));
}

// A window of 1 sorts nothing, one below a batch is one batch.
TEST(SortedCycle, IsForTextsAsTheyComeInWindowsOfOneBatch) {
  std::mt19937_64 random(4);
  for (const Law& law : laws()) {
    const Lengths lengths = drawn(law, 4000, random);
    for (const int64_t batch : {8, 32}) {
      const auto size = static_cast<std::size_t>(batch);
      for (const int64_t window : {1, 3, 8}) {
        SCOPED_TRACE(testing::Message() << law.name << ", window " << window << ", " << batch);
        expect_near(means_of(cycle_of(lengths, {4000, window, batch}), size),
                    means_of(lengths, size), 0.02);
      }
    }
  }
  EXPECT_THAT(cycle_of({3, 9, 4, 8}, {4, 1, 4}), testing::ElementsAre(3, 9, 4, 8));
}

// What sorting changes is the padding alone.
TEST(SortedCycle, HasTheSameTokensForEveryBatchSizeAndWindow) {
  std::mt19937_64 random(8);
  const Lengths lengths = drawn(laws().front(), 1000, random);
  const double mean = means_of(lengths, 1).real;
  for (const int64_t window : {1, 64, 1000}) {
    for (const int64_t batch : {1, 8, 32}) {
      const Lengths cycle = cycle_of(lengths, {1000, window, batch});
      EXPECT_NEAR(means_of(cycle, static_cast<std::size_t>(batch)).real / mean, 1, 0.015)
          << window << ", " << batch;
    }
  }
}

TEST(SortedCycle, IsLongestFirst) {
  std::mt19937_64 random(5);
  const Lengths cycle = cycle_of(drawn(laws()[1], 2000, random), {2000, 2000, 16});
  EXPECT_TRUE(std::is_sorted(cycle.begin(), cycle.end(), std::greater<>()));
}

}  // namespace
}  // namespace batchscope::engines
