#include "batchscope/serving/policy.hpp"

#include "testing/serving/tables.hpp"

namespace batchscope::serving {
namespace {

using std::chrono::milliseconds;

std::vector<Waiting> queue_of(const std::vector<int64_t>& tokens) {
  std::vector<Waiting> queue;
  for (const int64_t length : tokens) {
    queue.push_back({milliseconds(queue.size()), length});
  }
  return queue;
}

std::vector<Waiting> alike(std::size_t n) {
  return queue_of(std::vector<int64_t>(n, 1));
}

constexpr base::Nanoseconds kLater = milliseconds(100);

TEST(FixedTimeout, WaitsForTheOldestRequestOrAFullBatch) {
  const auto policy = make_policy(FixedTimeout{.max_batch = 4, .max_delay = milliseconds(10)});
  const Decision wait = policy->decide(alike(3), milliseconds(9), {});
  EXPECT_THAT(wait.members, IsEmpty());
  EXPECT_EQ(wait.until, milliseconds(10));
  EXPECT_EQ(wait.wake_at, 4u);
  EXPECT_THAT(policy->decide(alike(3), milliseconds(10), {}).members, ElementsAre(0, 1, 2));
  EXPECT_THAT(policy->decide(alike(6), milliseconds(5), {}).members, ElementsAre(0, 1, 2, 3));
}

TEST(FixedTimeout, ABatchThatMemoryCutsShortIsFull) {
  const auto policy = make_policy(FixedTimeout{.max_batch = 8, .max_delay = kLater});
  const Decision decision = policy->decide(alike(3), milliseconds(3), {.max_tokens = 2});
  EXPECT_THAT(decision.members, ElementsAre(0, 1));
  EXPECT_EQ(policy->decide(alike(1), milliseconds(1), {.max_tokens = 2}).wake_at, 2u);
}

TEST(TakeAll, TakesWhatIsThere) {
  const auto policy = make_policy(TakeAll{.max_batch = 4});
  EXPECT_THAT(policy->decide(alike(1), milliseconds(0), {}).members, ElementsAre(0));
  EXPECT_THAT(policy->decide(alike(9), milliseconds(9), {}).members, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(policy->decide(alike(9), milliseconds(9), {.max_batch = 2}).members,
              ElementsAre(0, 1));
  // Alone it always goes.
  EXPECT_THAT(policy->decide(queue_of({500, 1}), milliseconds(9), {.max_tokens = 10}).members,
              ElementsAre(0));
}

GoodSizes seed_sizes() {
  const auto table = *CostTable::from_points({{.batch_size = 1, .times_s = {0.05030}},
                                              {.batch_size = 2, .times_s = {0.14009}},
                                              {.batch_size = 4, .times_s = {0.17525}},
                                              {.batch_size = 8, .times_s = {0.50416}}},
                                             "seed");
  return {.costs = BatchCosts(table, 4), .sizes = {1, 4}};
}

TEST(GoodSizesPolicy, FormsTheMostEfficientBatchOfTheSplitFirst) {
  const auto policy = make_policy(seed_sizes());
  for (const auto& [n, size] : {std::pair{1, 1}, {2, 1}, {3, 1}, {4, 4}, {7, 4}, {8, 4}, {90, 4}}) {
    EXPECT_EQ(policy->decide(alike(static_cast<std::size_t>(n)), kLater, {}).members.size(),
              static_cast<std::size_t>(size))
        << n;
  }
  EXPECT_EQ(policy->decide(alike(7), kLater, {.max_batch = 3}).members.size(), 1u);
}

TEST(GoodSizesPolicy, WaitsOnlyWhileALargerBatchCanStillForm) {
  GoodSizes options = seed_sizes();
  options.max_delay = milliseconds(10);
  const auto policy = make_policy(options);
  EXPECT_THAT(policy->decide(alike(3), milliseconds(9), {}).members, IsEmpty());
  EXPECT_EQ(policy->decide(alike(3), milliseconds(9), {}).wake_at, 4u);
  EXPECT_THAT(policy->decide(alike(3), milliseconds(10), {}).members, ElementsAre(0));
  EXPECT_EQ(policy->decide(alike(4), milliseconds(4), {}).members.size(), 4u);
}

TEST(GoodSizesPolicy, SizesWithoutTimesAreLeftOut) {
  GoodSizes options = seed_sizes();
  for (const bool by_length : {false, true}) {
    options.by_length = by_length;
    options.sizes = {1, 4, 8, 1024};  // of costs up to 4
    EXPECT_EQ(make_policy(options)->decide(alike(9), kLater, {}).members.size(), 4u);
    EXPECT_THAT(make_policy(options)->settings(), HasSubstr("sizes 1,4,"));
    for (const std::vector<int64_t>& none : {std::vector<int64_t>{}, {8}, {0}}) {
      options.sizes = none;
      EXPECT_THAT(make_policy(options)->decide(alike(9), kLater, {}).members, ElementsAre(0));
    }
  }
}

TEST(GoodSizesPolicy, FormsBatchesLargerThanTheWindow) {
  const CostTable table = affine_table(0.001, 0.5, {1, 512, 1024});
  GoodSizes options{.costs = BatchCosts(table, 1024),
                    .sizes = {1, 512, 1024},
                    .max_delay = std::chrono::seconds(10)};
  for (const bool by_length : {false, true}) {
    options.by_length = by_length;
    const auto policy = make_policy(options);
    const Decision wait = policy->decide(alike(700), std::chrono::seconds(1), {});
    EXPECT_THAT(wait.members, IsEmpty());
    EXPECT_EQ(wait.wake_at, 1024u);
    EXPECT_EQ(policy->decide(alike(1024), std::chrono::seconds(2), {}).members.size(), 1024u);
  }
  options.by_length = false;
  EXPECT_EQ(make_policy(options)->decide(alike(600), std::chrono::seconds(10), {}).members.size(),
            512u);
}

TEST(GoodSizesPolicy, WithLengthsItRunsTheGroupOfTheOldest) {
  const CostTable table = length_table({1, 2, 4, 8}, {16, 128});
  const auto policy = make_policy(GoodSizes{
      .costs = BatchCosts(table, 8), .sizes = {1, 2, 3, 4, 5, 6, 7, 8}, .by_length = true});
  EXPECT_THAT(policy->decide(queue_of({16, 128, 16, 128, 16}), kLater, {}).members,
              ElementsAre(0, 2, 4));
  EXPECT_THAT(policy->decide(queue_of({128, 16, 16, 128, 16}), kLater, {}).members,
              ElementsAre(0, 3));
  EXPECT_THAT(policy->decide(queue_of({128, 16, 16, 128}), kLater, {.max_tokens = 128}).members,
              ElementsAre(0));
}

TEST(TokenBudgetPolicy, CountsPaddedTokensWithinABucket) {
  const auto policy = make_policy(TokenBudget{
      .max_tokens = 64, .max_batch = 32, .max_delay = milliseconds(10), .bucket_ends = {16, 32}});
  // 3 x 16 would be 48, 4 x 16 = 64 is full; the long ones are in a bucket of their own.
  EXPECT_THAT(policy->decide(queue_of({16, 60, 10, 16, 8, 16}), milliseconds(6), {}).members,
              ElementsAre(0, 2, 3, 4));
  // The long one is full alone, and it is there before the others are.
  EXPECT_THAT(policy->decide(queue_of({16, 60, 10}), milliseconds(6), {}).members, ElementsAre(1));
  const Decision wait = policy->decide(queue_of({16, 10}), milliseconds(6), {});
  EXPECT_THAT(wait.members, IsEmpty());
  EXPECT_EQ(wait.until, milliseconds(10));
  EXPECT_EQ(wait.wake_at, 3u);
  EXPECT_THAT(policy->decide(queue_of({16, 10}), milliseconds(10), {}).members, ElementsAre(0, 1));
}

TEST(TokenBudgetPolicy, FormsBatchesLargerThanTheWindow) {
  const auto policy = make_policy(TokenBudget{.max_tokens = 4096, .max_batch = 512});
  EXPECT_EQ(policy->decide(alike(600), milliseconds(600), {}).members.size(), 512u);
}

TEST(TokenBudgetPolicy, OneThatExceedsTheBudgetGoesAlone) {
  const auto policy = make_policy(TokenBudget{.max_tokens = 64});
  EXPECT_THAT(policy->decide(queue_of({100, 100}), kLater, {}).members, ElementsAre(0));
}

// No overflow on the way: until the end of time, and at a shut-down at once.
TEST(Policies, ADelayMayBeEndless) {
  constexpr auto kEndless = base::Nanoseconds::max();
  GoodSizes good = seed_sizes();
  good.max_delay = kEndless;
  for (const auto& policy : {make_policy(FixedTimeout{.max_batch = 4, .max_delay = kEndless}),
                             make_policy(good), make_policy(TokenBudget{.max_delay = kEndless})}) {
    const Decision wait = policy->decide(alike(3), milliseconds(5), {});
    EXPECT_THAT(wait.members, IsEmpty()) << policy->name();
    EXPECT_EQ(wait.until, kEndless) << policy->name();
    std::vector<Waiting> queue = alike(3);
    for (Waiting& request : queue) request.arrival += std::chrono::hours(1000);
    EXPECT_EQ(policy->decide(queue, milliseconds(5) + std::chrono::hours(1000), {}).until,
              kEndless);
    EXPECT_THAT(policy->decide(queue, kNoMoreWaiting, {}).members, Contains(0)) << policy->name();
  }
}

// As the words say.
TEST(Policies, GiveTheirSettingsToPrograms) {
  const auto timeout = make_policy(FixedTimeout{.max_batch = 8, .max_delay = milliseconds(5)});
  EXPECT_EQ(timeout->values().max_batch, 8);
  EXPECT_EQ(timeout->values().max_delay, milliseconds(5));
  EXPECT_FALSE(timeout->values().max_tokens);
  EXPECT_THAT(timeout->values().sizes, IsEmpty());
  EXPECT_EQ(make_policy(TakeAll{.max_batch = 4})->values().max_batch, 4);
  EXPECT_FALSE(make_policy(TakeAll{.max_batch = 4})->values().max_delay);
  EXPECT_THAT(make_policy(seed_sizes())->values().sizes, ElementsAre(1, 4));
  const auto budget = make_policy(TokenBudget{.max_tokens = 64, .bucket_ends = {16}})->values();
  EXPECT_EQ(budget.max_tokens, 64);
  EXPECT_EQ(budget.max_batch, 32);
  EXPECT_THAT(budget.bucket_ends, ElementsAre(16));
}

TEST(Policies, SayTheirSettings) {
  EXPECT_EQ(make_policy(FixedTimeout{.max_batch = 8, .max_delay = milliseconds(5)})->settings(),
            "max_batch 8, max_delay 5.00 ms");
  EXPECT_EQ(make_policy(TakeAll{.max_batch = 4})->settings(), "max_batch 4");
  EXPECT_THAT(make_policy(seed_sizes())->settings(), HasSubstr("sizes 1,4"));
  EXPECT_EQ(make_policy(TokenBudget{.max_tokens = 64, .bucket_ends = {16}})->name(),
            "token-budget");
}

}  // namespace
}  // namespace batchscope::serving
