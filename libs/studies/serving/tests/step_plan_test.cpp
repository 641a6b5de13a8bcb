#include "batchscope/serving/step_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "batchscope/stats/rng.hpp"
#include "testing/serving/tables.hpp"

namespace batchscope::serving {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<int64_t> lognormal(uint64_t seed, std::size_t n) {
  stats::Rng rng(seed);
  std::vector<int64_t> lengths(n);
  for (int64_t& length : lengths) {
    length = std::max<int64_t>(4, static_cast<int64_t>(std::exp(4 + 0.7 * rng.normal())));
  }
  return lengths;
}

StepPlan plan_of(const std::vector<int64_t>& lengths, const BatchSamplerOptions& options) {
  return StepPlan::make(lengths, options).value();
}

TEST(StepPlan, SamplesThatAreAlikeAreOneClassAndWhatIsLeft) {
  const StepPlan plan = plan_of(std::vector<int64_t>(1003, 7), {.max_tokens = 70});
  ASSERT_EQ(plan.classes().size(), 2u);
  EXPECT_EQ(plan.classes().front().steps, 100u);
  EXPECT_EQ(plan.classes().front().batch, 10u);
  EXPECT_EQ(plan.steps(), 101u);
  EXPECT_THAT(plan.last_batches(), ElementsAre(3));
}

// Of the last steps: as many batches as ranks, or twice as many, where there are fewer samples
// left.
TEST(StepPlan, LastBatchesAreCutFinerSoThatEachRankHasOne) {
  const auto last = [](std::size_t samples, int64_t ranks) {
    const StepPlan plan =
        plan_of(std::vector<int64_t>(samples, 1), {.max_batch = 8, .ranks = ranks});
    EXPECT_EQ(plan.over_budget(), 0u);
    return plan.last_batches();
  };
  EXPECT_THAT(last(64, 4), IsEmpty());
  EXPECT_THAT(last(77, 4), ElementsAre(4, 3, 3, 3));
  EXPECT_THAT(last(66, 4), ElementsAre(5, 5, 4, 4, 4, 4, 4, 4));
  EXPECT_THAT(last(5, 4), ElementsAre(2, 1, 1, 1));
}

TEST(StepPlan, SamplesThatFitOneByOneOnlyMayExceedTheBudgetAtTheEnd) {
  const StepPlan plan = plan_of(std::vector<int64_t>(11, 10), {.max_tokens = 10, .ranks = 4});
  EXPECT_EQ(plan.over_budget(), 3u);
  EXPECT_EQ(plan.steps(), 2u);
  EXPECT_THAT(plan.last_batches(), ElementsAre(2, 2, 2, 1));
  // The shortest of all.
  EXPECT_EQ(plan_of({5, 40, 40, 40, 7}, {.max_tokens = 40, .ranks = 4}).classes().back().end, 5u);
}

TEST(StepPlan, EverySampleIsInOneClass) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    stats::Rng rng(seed);
    const BatchSamplerOptions options{.max_tokens = static_cast<int64_t>(1 + rng.below(3000)),
                                      .max_batch = static_cast<int64_t>(1 + rng.below(50)),
                                      .window = static_cast<int64_t>(1 + rng.below(70)),
                                      .ranks = static_cast<int64_t>(1 + rng.below(6))};
    const StepPlan plan = plan_of(lognormal(seed, 6 + rng.below(2000)), options);
    EXPECT_LE(plan.classes().size(), static_cast<std::size_t>(options.window) + 2);
    std::size_t end = plan.samples(), last = 0;
    for (const LengthClass& each : plan.classes()) {
      EXPECT_EQ(each.end, end);
      end = each.begin;
      last = each.end - each.begin - each.steps * each.batch * plan.ranks();
      EXPECT_TRUE(last == 0 || &each == &plan.classes().back());
    }
    EXPECT_EQ(end, 0u);
    EXPECT_EQ(
        std::accumulate(plan.last_batches().begin(), plan.last_batches().end(), std::size_t{0}),
        last);
    EXPECT_EQ(plan.last_batches().size() % plan.ranks(), 0u);
  }
}

TEST(StepPlan, TakesTheGoodSizeWithTheMostSamplesASecond) {
  const std::vector<int64_t> lengths(1000, 10);
  const auto batch = [&](const BatchSamplerOptions& options) {
    return plan_of(lengths, options).classes().front().batch;
  };
  BatchSamplerOptions options{.max_tokens = 200, .sizes = {1, 2, 4, 8, 16, 32}};
  EXPECT_EQ(batch(options), 16u);
  // 16 takes longer than three of 8.
  options.cost = [](int64_t count, int64_t) { return count == 16 ? 3.1 : count >= 8 ? 1.0 : 0.9; };
  EXPECT_EQ(batch(options), 8u);
  options.sizes = {32, 64};  // none fits
  EXPECT_EQ(batch(options), 20u);
}

TEST(StepPlan, RefusesWhatCannotBeCut) {
  const auto kind = [](const std::vector<int64_t>& lengths, const BatchSamplerOptions& options) {
    return StepPlan::make(lengths, options).error();
  };
  EXPECT_EQ(kind({}, {}).kind, base::ErrorKind::input);
  EXPECT_EQ(kind({3, 2, 0}, {}).where, "sample 2");
  EXPECT_EQ(kind({3, -2}, {}).where, "sample 1");
  EXPECT_EQ(kind({3, 2}, {.ranks = 3}).kind, base::ErrorKind::input);
  EXPECT_EQ(kind({3, 2}, {.max_batch = 0}).kind, base::ErrorKind::usage);
  EXPECT_EQ(kind({3, 2}, {.window = 0}).kind, base::ErrorKind::usage);
}

// By times that are measured: here a law with attention, quadratic in the length.
TEST(EpochOrder, BatchesOfAStepCostAlike) {
  const auto cost = [](int64_t count, int64_t longest) {
    const auto n = static_cast<double>(count), l = static_cast<double>(longest);
    return 0.005 + 1e-5 * n * l + 2e-8 * n * l * l;
  };
  const auto lengths = lognormal(3, 50'000);
  const BatchSamplerOptions options{.max_tokens = 4096,
                                    .sizes = {1, 2, 4, 8, 16, 32, 64, 128},
                                    .cost = cost,
                                    .window = 8,
                                    .ranks = 4};
  const auto plan = std::make_shared<const StepPlan>(plan_of(lengths, options));
  const EpochOrder order(plan, 1, 0);
  double longest = 0, all = 0;
  for (std::size_t step = 0; step < plan->steps(); ++step) {
    double slowest = 0;
    for (std::size_t rank = 0; rank < 4; ++rank) {
      const auto batch = order.batch(step, rank);
      const double seconds = cost(static_cast<int64_t>(batch.size()), plan->length(batch.back()));
      slowest = std::max(slowest, seconds);
      all += seconds / 4;
    }
    longest += slowest;
  }
  EXPECT_LT(longest / all, 1.01);  // ranks wait for each other for less than 1 %
}

TEST(EpochOrder, SamplesOfOneLengthMeetAnyOthersOfIt) {
  // Half of them are of class 0 of the data set, which is sorted by it.
  std::vector<int64_t> lengths(4000, 10);
  std::fill(lengths.begin(), lengths.begin() + 100, 11);
  const auto plan = std::make_shared<const StepPlan>(plan_of(lengths, {.max_tokens = 400}));
  ASSERT_EQ(plan->ties().size(), plan->classes().size() > 1 ? 1u : 0u);
  const EpochOrder order(plan, 1, 0);
  for (std::size_t step = 0; step < plan->steps(); ++step) {
    const auto batch = order.batch(step, 0);
    if (batch.size() < 20) continue;
    const auto early = std::count_if(batch.begin(), batch.end(),
                                     [&](uint32_t place) { return plan->sample(place) < 2000; });
    EXPECT_GT(early, 0);
    EXPECT_LT(static_cast<std::size_t>(early), batch.size());
  }
}

}  // namespace
}  // namespace batchscope::serving
