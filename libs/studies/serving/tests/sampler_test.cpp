#include "batchscope/serving/sampler.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/stats/rng.hpp"
#include "testing/serving/tables.hpp"

namespace batchscope::serving {
namespace {

std::vector<int64_t> random_lengths(stats::Rng& rng, std::size_t n) {
  std::vector<int64_t> lengths(n);
  for (int64_t& length : lengths) {
    length = std::clamp<int64_t>(static_cast<int64_t>(48 * std::exp(0.6 * rng.normal())), 16, 128);
  }
  return lengths;
}

int64_t padded(const std::vector<int64_t>& lengths, const std::vector<std::size_t>& batch) {
  int64_t longest = 0;
  for (const std::size_t sample : batch) longest = std::max(longest, lengths[sample]);
  return longest * static_cast<int64_t>(batch.size());
}

using Batches = std::vector<std::vector<std::size_t>>;

Batches epoch_of(TokenBatchSampler& sampler, int64_t epoch) {
  Batches batches;
  sampler.start_epoch(epoch);
  while (auto batch = sampler.next()) batches.push_back(*batch);
  return batches;
}

// Memory that fails at random and by size, several epochs, random sizes of everything.
class Epochs : public testing::TestWithParam<uint64_t> {};

TEST_P(Epochs, EverySampleIsTrainedOnOnceOrNamed) {
  stats::Rng rng(GetParam());
  for (int round = 0; round < 20; ++round) {
    const auto lengths = random_lengths(rng, rng.below(400));
    const SamplerOptions options{.max_tokens = static_cast<int64_t>(8 + rng.below(2000)),
                                 .max_batch = static_cast<int64_t>(1 + rng.below(40)),
                                 .seed = rng.next(),
                                 .window = static_cast<std::size_t>(1 + rng.below(300)),
                                 .ceiling = {.recover_after = 2}};
    TokenBatchSampler sampler(lengths, options);
    for (int64_t epoch = 0; epoch < 3; ++epoch) {
      const auto memory = static_cast<int64_t>(rng.below(2500));
      std::vector<int> times(lengths.size(), 0);
      sampler.start_epoch(epoch);
      while (const auto batch = sampler.next()) {
        ASSERT_FALSE(batch->empty());
        const bool alone = batch->size() == 1;
        EXPECT_TRUE(alone || padded(lengths, *batch) <= sampler.token_limit());
        EXPECT_TRUE(alone || static_cast<int64_t>(batch->size()) <= options.max_batch);
        const bool fails = padded(lengths, *batch) > memory || rng.below(20) == 0;
        const auto told = fails ? sampler.out_of_memory() : base::Result<void>();
        EXPECT_EQ(told.has_value(), !(fails && alone));
        if (fails && !alone) continue;
        for (const std::size_t sample : *batch) ++times[sample];
      }
      EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](int n) { return n == 1; }));
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, Epochs, ::testing::Values(1, 2, 3, 4, 5, 6, 7, 8));

TEST(TokenBatchSampler, AnEpochIsFixedByItsSeedAndNumber) {
  stats::Rng rng(1);
  const auto lengths = random_lengths(rng, 500);
  TokenBatchSampler one(lengths, {.max_tokens = 1000, .seed = 5});
  TokenBatchSampler same(lengths, {.max_tokens = 1000, .seed = 5});
  TokenBatchSampler other(lengths, {.max_tokens = 1000, .seed = 6});
  const Batches first = epoch_of(one, 0), second = epoch_of(one, 1);
  EXPECT_NE(first, second);
  EXPECT_EQ(epoch_of(same, 1), second);  // without the epoch before
  EXPECT_NE(epoch_of(other, 0), first);
  EXPECT_EQ(epoch_of(one, 0), first);
}

TEST(TokenBatchSampler, PadsLittleAndMixesLengthsOverTheEpoch) {
  stats::Rng rng(2);
  const auto lengths = random_lengths(rng, 4000);
  TokenBatchSampler sampler(lengths, {.max_tokens = 2048});
  int64_t real = 0, computed = 0;
  double first_half = 0, all = 0;
  const Batches batches = epoch_of(sampler, 0);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    for (const std::size_t sample : batches[i]) real += lengths[sample];
    computed += padded(lengths, batches[i]);
    const double longest = static_cast<double>(lengths[batches[i].back()]);
    all += longest;
    if (i < batches.size() / 2) first_half += longest;
  }
  EXPECT_GT(static_cast<double>(real), 0.95 * static_cast<double>(computed));
  EXPECT_NEAR(first_half / all, 0.5, 0.1);  // short and long batches all through the epoch
}

TEST(TokenBatchSampler, ShrinksAfterOutOfMemoryAndGrowsBackCarefully) {
  const std::vector<int64_t> lengths(20'000, 10);
  TokenBatchSampler sampler(lengths, {.max_tokens = 640, .ceiling = {.recover_after = 8}});
  sampler.start_epoch(0);
  ASSERT_EQ(sampler.next()->size(), 64u);
  ASSERT_TRUE(sampler.out_of_memory());
  EXPECT_EQ(sampler.token_limit(), 320);
  std::size_t largest = 0;
  int64_t failures = 0, batches = 0;
  while (const auto batch = sampler.next()) {
    ++batches;
    largest = std::max(largest, batch->size());
    if (batch->size() <= 50) continue;
    ++failures;
    ASSERT_TRUE(sampler.out_of_memory());
  }
  EXPECT_GT(largest, 40u);  // back to near what fits
  EXPECT_GT(failures, 0);   // tried, and rarely
  EXPECT_LT(failures, batches / 20);
}

TEST(TokenBatchSampler, NamesTheSampleThatDoesNotFitAlone) {
  TokenBatchSampler sampler({10, 500}, {.max_tokens = 10});
  EXPECT_FALSE(sampler.next());
  EXPECT_TRUE(sampler.out_of_memory());  // no batch is out
  sampler.start_epoch(0);
  while (const auto batch = sampler.next()) {
    if (batch->front() != 1) continue;
    const auto told = sampler.out_of_memory();
    ASSERT_FALSE(told);
    EXPECT_EQ(told.error().kind, base::ErrorKind::out_of_memory);
    EXPECT_EQ(told.error().where, "sample 1");
  }
}

}  // namespace
}  // namespace batchscope::serving
