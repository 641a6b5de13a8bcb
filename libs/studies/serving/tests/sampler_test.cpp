#include "batchscope/serving/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>

#include "batchscope/stats/rng.hpp"
#include "testing/serving/tables.hpp"

namespace batchscope::serving {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<int64_t> random_lengths(stats::Rng& rng, std::size_t n) {
  std::vector<int64_t> lengths(n);
  for (int64_t& length : lengths) {
    length = std::clamp<int64_t>(static_cast<int64_t>(48 * std::exp(0.6 * rng.normal())), 16, 128);
  }
  return lengths;
}

int64_t sum(const std::vector<int64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), int64_t{0});
}

TokenBatchSampler sampler_of(std::vector<int64_t> lengths, BatchSamplerOptions options = {},
                             int64_t rank = 0) {
  return TokenBatchSampler::make(std::move(lengths), std::move(options), rank).value();
}

// What one rank's loader has asked for and not given away yet.
struct Loader {
  SamplerBatches batches;
  std::size_t ahead = 0;
  bool in_order = true;
  std::deque<SamplerBatch> in_flight{};

  std::optional<SamplerBatch> next(stats::Rng& rng) {
    while (in_flight.size() <= ahead) {
      auto batch = batches.next();
      if (!batch) break;
      in_flight.push_back(*std::move(batch));
    }
    if (in_flight.empty()) return std::nullopt;
    const auto first = in_order ? 0 : static_cast<std::ptrdiff_t>(rng.below(in_flight.size()));
    SamplerBatch batch = std::move(in_flight[static_cast<std::size_t>(first)]);
    in_flight.erase(in_flight.begin() + first);
    return batch;
  }
};

// A training on several ranks in virtual time: memory runs out, workers die, the job is stopped and
// resumed, and loaders look ahead by workers x prefetch batches, some giving them out of order.
class Training {
 public:
  explicit Training(stats::Rng& rng) : rng_(rng) {
    options_ = {.max_tokens = static_cast<int64_t>(128 + rng.below(2000)),
                .max_batch = static_cast<int64_t>(1 + rng.below(40)),
                .seed = rng.next(),
                .window = static_cast<int64_t>(1 + rng.below(80)),
                .ranks = static_cast<int64_t>(1 + rng.below(4))};
    lengths_ = random_lengths(rng, static_cast<std::size_t>(options_.ranks) + rng.below(150));
    const uint64_t workers = rng.below(5);
    ahead_ = static_cast<std::size_t>(workers * (1 + rng.below(8)) + rng.below(2));
    in_order_ = workers < 2 || rng.below(3) > 0;
    for (int64_t rank = 0; rank < options_.ranks; ++rank) {
      samplers_.push_back(sampler_of(lengths_, options_, rank));
    }
  }

  // How often each sample was trained.
  std::vector<int> epoch() {
    times_.assign(lengths_.size(), 0);
    begin();
    const int64_t number = samplers_.front().epoch();
    for (int64_t step = samplers_.front().position(); step < samplers_.front().steps(); ++step) {
      EXPECT_EQ(samplers_.front().epoch(), number);
      const bool fails = rng_.below(12) == 0;
      const auto limit = static_cast<int64_t>(1 + rng_.below(2000));
      for (std::size_t rank = 0; rank < samplers_.size(); ++rank) train(rank, fails, limit);
      if (step + 1 == samplers_.front().steps()) break;
      if (rng_.below(25) == 0) begin();  // workers died
      if (rng_.below(25) == 0) resume();
    }
    for (Loader& loader : loaders_) EXPECT_FALSE(loader.next(rng_));
    return times_;
  }

 private:
  void begin() {
    loaders_.clear();
    for (TokenBatchSampler& sampler : samplers_) {
      loaders_.push_back({sampler.start(), ahead_, in_order_});
    }
  }

  void train(std::size_t rank, bool fails, int64_t limit) {
    TokenBatchSampler& sampler = samplers_[rank];
    const auto batch = loaders_[rank].next(rng_);
    ASSERT_TRUE(batch);
    for (const int64_t sample : batch->samples) ++times_[static_cast<std::size_t>(sample)];
    if (fails) split(sampler, *batch, limit);
    ASSERT_TRUE(sampler.trained(in_order_ ? std::nullopt : std::optional(batch->number)));
  }

  void split(TokenBatchSampler& sampler, const SamplerBatch& batch, int64_t limit) {
    sampler.limit_to(limit, limit % 2 == 0);
    const auto lengths = sampler.lengths_of(batch.number);
    ASSERT_EQ(lengths.size(), batch.samples.size());
    auto at = lengths.begin();
    for (const int64_t part : sampler.parts_of(batch.number)) {
      at += part;
      EXPECT_TRUE(part == 1 || part * *(at - 1) <= limit);
    }
    EXPECT_EQ(at, lengths.end());
  }

  void resume() {
    std::vector<TokenBatchSampler> fresh;
    for (std::size_t rank = 0; rank < samplers_.size(); ++rank) {
      const SamplerState state = samplers_[in_order_ ? 0 : rank].state();
      fresh.push_back(sampler_of(lengths_, options_, static_cast<int64_t>(rank)));
      const auto loaded = fresh.back().load(state);
      ASSERT_TRUE(loaded) << loaded.error().what;
    }
    samplers_ = std::move(fresh);
    begin();
  }

  stats::Rng& rng_;
  BatchSamplerOptions options_;
  std::vector<int64_t> lengths_;
  std::size_t ahead_ = 0;
  bool in_order_ = true;
  std::vector<TokenBatchSampler> samplers_;
  std::vector<Loader> loaders_;
  std::vector<int> times_;
};

class Epochs : public testing::TestWithParam<uint64_t> {};

TEST_P(Epochs, EverySampleIsTrainedOnceInEqualStepsWhateverHappens) {
  stats::Rng rng(GetParam());
  for (int round = 0; round < 320; ++round) {
    Training training(rng);
    for (int epoch = 0; epoch < 4; ++epoch) ASSERT_THAT(training.epoch(), Each(1));
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, Epochs, ::testing::Range(uint64_t{1}, uint64_t{9}));

using Samples = std::vector<std::vector<int64_t>>;

Samples rest_of(SamplerBatches batches) {
  Samples samples;
  while (auto batch = batches.next()) samples.push_back(batch->samples);
  return samples;
}

TEST(TokenBatchSampler, AnEpochIsFixedByItsSeedAndNumber) {
  stats::Rng rng(1);
  const auto lengths = random_lengths(rng, 500);
  auto one = sampler_of(lengths, {.max_tokens = 1000, .seed = 5});
  auto same = sampler_of(lengths, {.max_tokens = 1000, .seed = 5});
  auto other = sampler_of(lengths, {.max_tokens = 1000, .seed = 6});
  const Samples first = rest_of(one.start()), second = rest_of(one.start());
  EXPECT_EQ(one.epoch(), 1);
  EXPECT_NE(first, second);
  EXPECT_EQ(first.size(), second.size());
  same.set_epoch(1);
  EXPECT_EQ(rest_of(same.start()), second);
  EXPECT_NE(rest_of(other.start()), first);
}

TEST(TokenBatchSampler, PadsLittleAndMixesLengthsOverTheEpoch) {
  stats::Rng rng(2);
  std::vector<int64_t> lengths(200'000);
  for (int64_t& length : lengths) {
    length = std::max<int64_t>(4, static_cast<int64_t>(std::exp(4 + 0.7 * rng.normal())));
  }
  auto sampler = sampler_of(lengths, {.max_tokens = 8192});
  int64_t computed = 0, early = 0, all = 0;
  for (auto batches = sampler.start(); auto batch = batches.next();) {
    const int64_t longest = lengths[static_cast<std::size_t>(batch->samples.back())];
    computed += longest * static_cast<int64_t>(batch->samples.size());
    all += longest;
    if (batch->number < sampler.steps() / 2) early += longest;
  }
  EXPECT_LT(1 - static_cast<double>(sum(lengths)) / static_cast<double>(computed), 0.03);
  EXPECT_NEAR(200'000.0 / static_cast<double>(sampler.steps()), 110, 7);
  EXPECT_NEAR(static_cast<double>(early) / static_cast<double>(all), 0.5, 0.03);
}

TEST(TokenBatchSampler, CountsWhatWasTrainedNotWhatWasHandedOut) {
  auto sampler = sampler_of(std::vector<int64_t>(40, 1), {.max_batch = 4});
  const Samples all = rest_of(sampler.start());
  sampler.set_epoch(0);
  auto batches = sampler.start();
  for (int i = 0; i < 6; ++i) batches.next();
  ASSERT_TRUE(sampler.trained());
  ASSERT_TRUE(sampler.trained());
  EXPECT_EQ(sampler.state().position, 2);
  EXPECT_EQ(rest_of(sampler.start()), Samples(all.begin() + 2, all.end()));
}

TEST(TokenBatchSampler, StepsMayBeCountedOutOfOrder) {
  auto sampler = sampler_of(std::vector<int64_t>(40, 1), {.max_batch = 4});
  sampler.start();
  for (const int64_t number : {2, 0, 4}) ASSERT_TRUE(sampler.trained(number));
  EXPECT_EQ(sampler.position(), 1);
  EXPECT_THAT(sampler.state().ahead, ElementsAre(2, 4));
  EXPECT_EQ(sampler.trained(2).error().kind, base::ErrorKind::usage);
  EXPECT_EQ(sampler.trained(0).error().kind, base::ErrorKind::usage);
  EXPECT_EQ(sampler.trained(10).error().kind, base::ErrorKind::usage);
  EXPECT_EQ(sampler.trained(-1).error().kind, base::ErrorKind::usage);
  ASSERT_TRUE(sampler.trained());
  EXPECT_EQ(sampler.position(), 3);
  std::vector<int64_t> numbers;
  for (auto batches = sampler.start(); auto batch = batches.next();)
    numbers.push_back(batch->number);
  EXPECT_THAT(numbers, ElementsAre(3, 5, 6, 7, 8, 9));
}

TEST(TokenBatchSampler, AnEpochThatIsDoneIsTheNextOnesBeginning) {
  auto sampler = sampler_of({1, 1, 1, 1}, {.max_batch = 2});
  EXPECT_EQ(sampler.trained().error().kind, base::ErrorKind::usage);  // nothing was handed out
  sampler.start();
  EXPECT_EQ(sampler.state().position, std::nullopt);  // nobody counts
  ASSERT_TRUE(sampler.trained());
  ASSERT_TRUE(sampler.trained());
  EXPECT_EQ(sampler.state().epoch, 1);
  EXPECT_EQ(sampler.state().position, 0);
  sampler.start();
  EXPECT_EQ(sampler.epoch(), 1);
}

TEST(TokenBatchSampler, ALoaderThatCountsFromZeroGoesOnFromTheLoadedEpoch) {
  auto sampler = sampler_of(std::vector<int64_t>(40, 1), {.max_batch = 4});
  sampler.set_epoch(3);
  sampler.start();
  ASSERT_TRUE(sampler.trained());
  auto resumed = sampler_of(std::vector<int64_t>(40, 1), {.max_batch = 4});
  ASSERT_TRUE(resumed.load(sampler.state()));
  for (int i = 0; i < 2; ++i)
    resumed.set_epoch(0);  // as Trainer and accelerate, both before it starts
  EXPECT_EQ(rest_of(resumed.start()).size(), 9u);
  EXPECT_EQ(resumed.epoch(), 3);
  resumed.set_epoch(1);
  EXPECT_EQ(resumed.epoch(), 4);
  EXPECT_EQ(resumed.position(), 0);
}

TEST(TokenBatchSampler, AllRanksInTurnAreWhatEachRankGets) {
  stats::Rng rng(3);
  const auto lengths = random_lengths(rng, 301);
  const BatchSamplerOptions options{.max_tokens = 600, .ranks = 3};
  const Samples all = rest_of(sampler_of(lengths, options, TokenBatchSampler::kAllRanks).start());
  for (int64_t rank = 0; rank < 3; ++rank) {
    const Samples own = rest_of(sampler_of(lengths, options, rank).start());
    ASSERT_EQ(own.size() * 3, all.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      EXPECT_EQ(own[i], all[3 * i + static_cast<std::size_t>(rank)]);
    }
  }
}

TEST(TokenBatchSampler, ALimitKeepsTheStepsAndMayCutLaterEpochs) {
  auto sampler = sampler_of(std::vector<int64_t>(400, 10), {.max_tokens = 400});
  sampler.start();
  EXPECT_EQ(sampler.steps(), 10);
  EXPECT_THAT(sampler.parts_of(0), ElementsAre(40));
  sampler.limit_to(390, true);
  EXPECT_EQ(sampler.steps(), 10);
  EXPECT_THAT(sampler.parts_of(0), ElementsAre(20, 20));
  EXPECT_THAT(sampler.lengths_of(10), IsEmpty());
  sampler.set_epoch(1);
  EXPECT_EQ(sampler.steps(), 11);
  auto resumed = sampler_of(std::vector<int64_t>(400, 10), {.max_tokens = 400});
  ASSERT_TRUE(resumed.load(sampler.state()));
  EXPECT_EQ(resumed.steps(), 11);
  EXPECT_EQ(resumed.limit(), 390);
  EXPECT_EQ(resumed.fingerprint(), sampler.fingerprint());
}

TEST(TokenBatchSampler, NamesASampleOverTheBudget) {
  const auto refused = TokenBatchSampler::make({10, 500, 30}, {.max_tokens = 20});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::input);
  EXPECT_EQ(refused.error().where, "sample 1");
  EXPECT_FALSE(TokenBatchSampler::make({10, 10}, {.ranks = 2}, 2));
}

TEST(TokenBatchSampler, RefusesTheStateOfAnotherTraining) {
  const BatchSamplerOptions options{.max_tokens = 40, .ranks = 2};
  auto sampler = sampler_of(std::vector<int64_t>(64, 10), options);
  sampler.start();
  ASSERT_TRUE(sampler.trained(1));
  const SamplerState state = sampler.state();
  const auto refusal = [&](std::vector<int64_t> lengths, const BatchSamplerOptions& other,
                           int64_t rank) {
    const auto loaded = sampler_of(std::move(lengths), other, rank).load(state);
    return loaded ? std::string() : loaded.error().what;
  };
  const std::vector<int64_t> same(64, 10);
  std::vector<int64_t> one_differs = same;
  one_differs[5] = 11;
  EXPECT_EQ(refusal(same, options, 0), "");
  EXPECT_THAT(refusal(std::vector<int64_t>(63, 10), options, 0), HasSubstr("63 samples"));
  EXPECT_THAT(refusal(one_differs, options, 0), HasSubstr("lengths"));
  EXPECT_THAT(refusal(same, {.max_tokens = 40, .ranks = 4}, 0), HasSubstr("4 ranks"));
  EXPECT_THAT(refusal(same, {.max_tokens = 40, .max_batch = 3, .ranks = 2}, 0),
              HasSubstr("max_batch"));
  EXPECT_THAT(refusal(same, options, 1), HasSubstr("rank 0"));
  SamplerState beyond = state;
  beyond.position = sampler.steps();
  EXPECT_FALSE(sampler.load(beyond));
}

TEST(TokenBatchSampler, BetweenEpochsMayBeCutOtherwise) {
  auto sampler = sampler_of(std::vector<int64_t>(64, 10), {.max_tokens = 40, .ranks = 2});
  sampler.set_epoch(7);
  auto other = sampler_of(std::vector<int64_t>(64, 10), {.max_tokens = 80, .ranks = 4});
  ASSERT_TRUE(other.load(sampler.state()));
  EXPECT_EQ(other.epoch(), 7);
  EXPECT_EQ(other.steps(), 2);
}

}  // namespace
}  // namespace batchscope::serving
