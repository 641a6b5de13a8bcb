#include "batchscope/capacity/max_batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "batchscope/stats/rng.hpp"

namespace batchscope::capacity {
namespace {

constexpr int64_t kMiB = 1 << 20;
using Law = std::function<int64_t(int64_t)>;

struct Found {
  int64_t largest = 0;
  std::optional<int64_t> safe;
  MaxBatchBound bound = MaxBatchBound::none;
  std::vector<int64_t> searched, soaked;
  int64_t dead_tried = 0;  // sizes tried at or above one that had died
};

// Answers by the law: what peaks above the limit of its purpose dies. `soak_extra`: bytes that a
// long run takes on top; `unseen`: what is taken that no peak tells, as by a device's context.
Found find(const MaxBatchOptions& options, const Law& law, int64_t soak_extra = 0,
           int64_t unseen = 0) {
  MaxBatch search(options);
  Found found;
  int64_t died = options.ceiling.value_or(INT64_MAX);
  while (const auto ask = search.ask()) {
    const bool soak = ask->purpose == ProbePurpose::soak;
    const int64_t peak = law(ask->batch_size) + (soak ? soak_extra : 0);
    const int64_t limit = (soak ? *search.safe_bytes() : *options.limit_bytes) - unseen;
    if (ask->batch_size >= died) ++found.dead_tried;
    (soak ? found.soaked : found.searched).push_back(ask->batch_size);
    ProbeResult result{ProbeOutcome::fits, peak};
    if (peak > limit) result = {ProbeOutcome::out_of_memory, std::nullopt};
    if (peak > limit && !soak) died = std::min(died, ask->batch_size);
    search.tell(ask->batch_size, ask->purpose, result);
    EXPECT_LT(found.searched.size() + found.soaked.size(), 300U);
    if (found.searched.size() + found.soaked.size() >= 300U) break;
  }
  found.largest = search.largest();
  found.safe = search.safe();
  found.bound = search.bound();
  return found;
}

MaxBatchOptions within(int64_t limit) {
  MaxBatchOptions options;
  options.limit_bytes = limit;
  return options;
}

// The first size that does not fit, less one, by trying all of them.
int64_t exhaustive(const Law& law, int64_t limit, int64_t most = 5000) {
  int64_t size = 0;
  while (size < most && law(size + 1) <= limit) ++size;
  return size;
}

Law affine(int64_t base, int64_t each) {
  return [=](int64_t size) { return base + each * size; };
}

TEST(MaxBatch, OnALineItGuessesAndIsExact) {
  const Law law = affine(600 * kMiB, 11 * kMiB);
  const Found found = find(within(2048 * kMiB), law);
  EXPECT_EQ(found.largest, 131);
  EXPECT_EQ(found.bound, MaxBatchBound::out_of_memory);
  EXPECT_EQ(found.searched, (std::vector<int64_t>{1, 2, 4, 24, 131, 132, 131}));
  EXPECT_EQ(found.safe, exhaustive(law, 2048 * kMiB * 95 / 100));
}

TEST(MaxBatch, IsTheExhaustiveAnswerOnAnyRisingLaw) {
  stats::Rng rng(5);
  for (int round = 0; round < 2000; ++round) {
    const auto pick = [&](double low, double high) { return low + (high - low) * rng.uniform(); };
    const double base = pick(0, 900), each = std::exp(pick(-1, 5)), bend = pick(0.6, 1.6);
    const auto step = static_cast<int64_t>(pick(1, 24));
    const auto jump_at = static_cast<int64_t>(pick(1, 200));
    const double jump = round % 3 == 0 ? pick(0, 500) : 0;
    const Law law = [&](int64_t size) {
      const auto stairs = static_cast<double>((size + step - 1) / step * step);
      const double mib = base + each * std::pow(stairs, bend) + (size >= jump_at ? jump : 0);
      return static_cast<int64_t>(mib * kMiB);
    };
    const int64_t limit = static_cast<int64_t>(pick(200, 4000)) * kMiB;
    const int64_t truth = exhaustive(law, limit);
    if (truth == 5000) continue;
    const Found found = find(within(limit), law);
    ASSERT_EQ(found.largest, truth) << "round " << round;
    ASSERT_EQ(found.dead_tried, 0) << "round " << round;
    const auto sizes = static_cast<double>(std::max<int64_t>(truth, 1));
    ASSERT_LE(static_cast<double>(found.searched.size()), 12 + 4 * std::log2(sizes)) << round;
    if (truth == 0) continue;
    const int64_t safe_limit = limit * 95 / 100;
    ASSERT_LE(found.safe ? law(*found.safe) : 0, safe_limit);
    ASSERT_EQ(found.safe.has_value(), law(1) <= safe_limit) << "round " << round;
  }
}

// As on a card of 80 GiB, of which its context and pieces take 2: the peaks point beyond what died.
TEST(MaxBatch, PeaksThatPointToWhatDiedAreNotFollowed) {
  const Law law = affine(300 * kMiB, 20 * kMiB);
  const Found found = find(within(81559 * kMiB), law, 0, 2048 * kMiB);
  EXPECT_EQ(found.largest, 3960);
  EXPECT_EQ(found.dead_tried, 0);
  EXPECT_LE(found.searched.size(), 26U);
}

TEST(MaxBatch, NoiseAtTheBorderCostsAtMostWhatItIsLarge) {
  stats::Rng rng(7);
  for (int round = 0; round < 1000; ++round) {
    const Law noisy = [&](int64_t size) {
      return 500 * kMiB + 10 * kMiB * size + static_cast<int64_t>(rng.normal() * 1.5 * kMiB);
    };
    const Found found = find(within(2048 * kMiB), noisy);
    ASSERT_NEAR(static_cast<double>(found.largest), 154, 1);
    ASSERT_EQ(found.dead_tried, 0);
  }
}

TEST(MaxBatch, WithoutPeaksItDoublesAndBisects) {
  MaxBatch search({});
  std::vector<int64_t> asked;
  while (const auto ask = search.ask()) {
    asked.push_back(ask->batch_size);
    const bool fits = ask->batch_size <= 21;
    search.tell(ask->batch_size, ask->purpose,
                {fits ? ProbeOutcome::fits : ProbeOutcome::out_of_memory, std::nullopt});
  }
  EXPECT_EQ(asked, (std::vector<int64_t>{1, 2, 4, 8, 16, 32, 24, 20, 22, 21, 21, 19}));
  EXPECT_EQ(search.largest(), 21);
  EXPECT_EQ(search.safe(), 19);
}

TEST(MaxBatch, NeverCrossesACeiling) {
  MaxBatchOptions options = within(2048 * kMiB);
  options.ceiling = 100;
  const Found found = find(options, affine(600 * kMiB, 11 * kMiB));
  EXPECT_EQ(found.largest, 99);
  EXPECT_EQ(found.bound, MaxBatchBound::ceiling);
  EXPECT_EQ(found.dead_tried, 0);
  options.ceiling = 1;
  EXPECT_TRUE(find(options, affine(0, kMiB)).searched.empty());
}

TEST(MaxBatch, StopsAtTheLargestThatIsAllowed) {
  MaxBatchOptions options = within(2048 * kMiB);
  options.at_most = 50;
  const Found found = find(options, affine(600 * kMiB, 11 * kMiB));
  EXPECT_EQ(found.largest, 50);
  EXPECT_EQ(found.bound, MaxBatchBound::at_most);
  EXPECT_EQ(found.searched.back(), 50);
  EXPECT_EQ(found.safe, 50);
}

TEST(MaxBatch, NothingFitsWhereOneDoesNot) {
  const Found found = find(within(100 * kMiB), affine(200 * kMiB, kMiB));
  EXPECT_EQ(found.largest, 0);
  EXPECT_EQ(found.searched, std::vector<int64_t>{1});
  EXPECT_EQ(found.safe, std::nullopt);
}

TEST(MaxBatch, AFailedSoakGoesDown) {
  const Found found = find(within(2048 * kMiB), affine(600 * kMiB, 11 * kMiB), 50 * kMiB);
  EXPECT_EQ(found.soaked, (std::vector<int64_t>{122, 119, 116}));
  EXPECT_EQ(found.safe, 116);
  MaxBatchOptions options = within(2048 * kMiB);
  options.soak_ceiling = 60;
  EXPECT_EQ(find(options, affine(600 * kMiB, 11 * kMiB)).safe, 59);
}

TEST(MaxBatch, WhatFailsForAnotherReasonIsTriedTwice) {
  MaxBatch search(within(2048 * kMiB));
  std::vector<int64_t> asked;
  int crashes = 0;
  while (const auto ask = search.ask()) {
    asked.push_back(ask->batch_size);
    const bool crash = ask->batch_size >= 5 || (ask->batch_size == 2 && crashes == 0);
    crashes += crash ? 1 : 0;
    search.tell(ask->batch_size, ask->purpose,
                {crash ? ProbeOutcome::failed : ProbeOutcome::fits, 100 * kMiB});
  }
  EXPECT_EQ(asked, (std::vector<int64_t>{1, 2, 2, 4, 8, 8, 6, 6, 5, 5, 4, 4}));
  EXPECT_EQ(search.bound(), MaxBatchBound::failed);
  EXPECT_EQ(search.largest(), 4);
}

// Told by the size: what is above `most` fails in words that are no proof.
MaxBatch reported_perhaps(int64_t most, std::vector<int64_t>& tried) {
  MaxBatchOptions options;
  options.limit_bytes = 4096 * kMiB;
  MaxBatch search(options);
  while (const auto ask = search.ask()) {
    tried.push_back(ask->batch_size);
    ProbeResult result{ProbeOutcome::fits, 100 * kMiB + ask->batch_size * kMiB};
    if (ask->batch_size > most) result = {ProbeOutcome::failed, std::nullopt, true};
    search.tell(ask->batch_size, ask->purpose, result);
    if (tried.size() > 40) break;
  }
  return search;
}

TEST(MaxBatch, WhatWasPerhapsMemoryIsTriedSmallerAndNotTheSameAgain) {
  std::vector<int64_t> tried;
  const MaxBatch search = reported_perhaps(6, tried);
  EXPECT_EQ(search.largest(), 6);
  EXPECT_EQ(search.bound(), MaxBatchBound::failed);
  for (const int64_t size : {24, 7}) {
    EXPECT_EQ(std::count(tried.begin(), tried.end(), size), 1) << size;
  }
  EXPECT_TRUE(search.hit_unknown_limit());
  EXPECT_EQ(search.safe(), 5);
}

TEST(MaxBatch, WhereNothingSmallerCanBeTriedItIsAFailure) {
  std::vector<int64_t> tried;
  const MaxBatch search = reported_perhaps(0, tried);
  EXPECT_EQ(search.largest(), 0);
  EXPECT_EQ(tried, (std::vector<int64_t>{1, 1}));
}

// Memory that ran out far below the limit that is known says that there is another one.
TEST(MaxBatch, AnotherLimitThanTheKnownOneMakesTheSafeSizeSmaller) {
  const Law law = affine(100 * kMiB, 10 * kMiB);
  const Found found = find(within(4096 * kMiB), law, 0, 3000 * kMiB);
  EXPECT_EQ(found.largest, 99);
  EXPECT_EQ(found.soaked.front(), 94);
}

TEST(MaxBatch, ASizeThatFitsOnlyOnceIsNotTheAnswer) {
  MaxBatch search(within(2048 * kMiB));
  int tries_of_8 = 0;
  while (const auto ask = search.ask()) {
    const int64_t size = ask->batch_size;
    const bool dies = size > 8 || (size == 8 && tries_of_8++ > 0);
    search.tell(size, ask->purpose,
                {dies ? ProbeOutcome::out_of_memory : ProbeOutcome::fits, std::nullopt});
  }
  EXPECT_EQ(search.largest(), 7);
}

TEST(MemoryModel, FitsTheLineAndNamesJumps) {
  const auto model = fit_memory({{1, 110}, {2, 120}, {4, 140}, {8, 180}});
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->intercept_bytes, 100, 1e-6);
  EXPECT_NEAR(model->slope_bytes, 10, 1e-6);
  EXPECT_TRUE(model->jumps.empty());
  EXPECT_EQ(fit_memory({{1, 110}, {2, 120}, {4, 240}, {8, 180}})->jumps, std::vector<int64_t>{4});
  EXPECT_FALSE(fit_memory({{1, 110}}));
  EXPECT_FALSE(fit_memory({}));
  EXPECT_FALSE(model->floor_bytes);
}

TEST(MemoryModel, LeavesOutTheSizesThatLoadingDecides) {
  const auto model =
      fit_memory({{1, 1000}, {2, 1001}, {4, 1002}, {8, 1280}, {16, 2080}, {32, 3680}});
  ASSERT_TRUE(model && model->floor_bytes);
  EXPECT_EQ(model->floor_until, 4);
  EXPECT_EQ(model->floor_bytes, 1002);
  EXPECT_NEAR(model->slope_bytes, 100, 1e-6);
  EXPECT_NEAR(model->intercept_bytes, 480, 1e-6);
  // A slope that is small beside the intercept is no floor.
  EXPECT_FALSE(fit_memory({{1, 1001}, {2, 1002}, {4, 1004}, {32, 1032}, {64, 1064}, {128, 1128}})
                   ->floor_bytes);
}

}  // namespace
}  // namespace batchscope::capacity
