#include "batchscope/study/axes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace batchscope::study {
namespace {

SweepModel tokens(const std::string& name) {
  SweepModel model;
  model.spec.name = name;
  model.has_seq_len = true;
  model.default_seq_len = 128;
  return model;
}

SweepModel images(const std::string& name) {
  SweepModel model;
  model.spec.name = name;
  return model;
}

TEST(Axes, TheProductHasEveryCombinationOnceBatchSizeFastest) {
  Axes axes;
  axes.batch_sizes = {1, 2, 4};
  axes.seq_lens = {64, 128};
  axes.precisions = {schema::Precision::fp32, schema::Precision::bf16};
  axes.threads = {1, 2};
  const auto configs = expand(axes, "torch", std::vector{tokens("a"), tokens("b")});
  ASSERT_TRUE(configs);
  EXPECT_EQ(configs->size(), 3u * 2 * 2 * 2 * 2);
  EXPECT_EQ(std::set<schema::RunConfig>(configs->begin(), configs->end()).size(), configs->size());
  EXPECT_EQ((*configs)[0].shape.batch_size, 1);
  EXPECT_EQ((*configs)[1].shape.batch_size, 2);
  EXPECT_EQ((*configs)[2].shape.batch_size, 4);
}

TEST(Axes, AModelWithoutALengthGetsNoneBesideOneThatHasIt) {
  Axes axes;
  axes.batch_sizes = {1};
  axes.seq_lens = {64, 128};
  const auto configs = expand(axes, "torch", std::vector{tokens("a"), images("b")});
  ASSERT_TRUE(configs);
  ASSERT_EQ(configs->size(), 3u);
  EXPECT_EQ((*configs)[1].shape.seq_len, 128);
  EXPECT_FALSE((*configs)[2].shape.seq_len);
}

TEST(Axes, TheModelsOwnLengthIsTheDefault) {
  const auto configs = expand({}, "torch", std::vector{tokens("a")});
  ASSERT_TRUE(configs);
  EXPECT_EQ(configs->front().shape.seq_len, 128);
}

TEST(Axes, ALengthForModelsWithoutOneIsRefused) {
  Axes axes;
  axes.seq_lens = {64};
  const auto configs = expand(axes, "torch", std::vector{images("b")});
  ASSERT_FALSE(configs);
  EXPECT_EQ(configs.error().kind, base::ErrorKind::usage);
}

TEST(Axes, AProductBeyondReasonIsRefusedBeforeItIsBuilt) {
  Axes axes;
  axes.batch_sizes.resize(100'000, 1);
  axes.seq_lens.resize(100'000, 1);
  const auto configs = expand(axes, "torch", std::vector{tokens("a")});
  ASSERT_FALSE(configs);
  EXPECT_THAT(configs.error().what, testing::HasSubstr("10000"));
}

TEST(Axes, ASizeBeyondAnyModelIsRefused) {
  Axes axes;
  axes.batch_sizes = {1, schema::kLargestSize + 1};
  const auto configs = expand(axes, "torch", std::vector{tokens("a")});
  ASSERT_FALSE(configs);
  EXPECT_EQ(configs.error().where, "--batch-sizes");
}

TEST(Axes, InstancesShareTheCores) {
  Axes axes;
  axes.batch_sizes = {1};
  axes.threads.clear();
  axes.instances = {1, 2, 4, 16};
  axes.cores = 8;
  auto configs = expand(axes, "torch", std::vector{images("b")});
  ASSERT_TRUE(configs);
  ASSERT_EQ(configs->size(), 4u);
  EXPECT_EQ((*configs)[0].threads, 8);
  EXPECT_EQ((*configs)[1].threads, 4);
  EXPECT_EQ((*configs)[2].threads, 2);
  EXPECT_EQ((*configs)[3].threads, 1);
  const auto notes = leave_out_overcommitted(*configs, axes.cores);
  ASSERT_TRUE(notes);
  EXPECT_EQ(configs->size(), 3u);
  ASSERT_EQ(notes->size(), 1u);
  EXPECT_THAT(notes->front(), testing::HasSubstr("16 instances of 1 thread skipped"));
}

TEST(Axes, ThreadsThatAreAskedForAreThoseOfEachInstance) {
  Axes axes;
  axes.batch_sizes = {1, 2};
  axes.threads = {1, 2};
  axes.instances = {2};
  axes.cores = 3;
  auto configs = expand(axes, "torch", std::vector{images("b")});
  ASSERT_TRUE(configs);
  EXPECT_EQ(configs->size(), 4u);
  ASSERT_TRUE(leave_out_overcommitted(*configs, axes.cores));
  ASSERT_EQ(configs->size(), 2u);
  EXPECT_EQ(configs->front().threads, 1);
}

TEST(Axes, MoreThreadsThanCoresAreLeftToOneInstanceAlone) {
  Axes axes;
  axes.threads = {16};
  axes.cores = 2;
  auto configs = expand(axes, "torch", std::vector{images("b")});
  ASSERT_TRUE(configs);
  const auto notes = leave_out_overcommitted(*configs, axes.cores);
  ASSERT_TRUE(notes);
  EXPECT_TRUE(notes->empty());
  EXPECT_EQ(configs->size(), 4u);
}

TEST(Axes, NothingLeftIsRefusedWithWhatWouldFit) {
  Axes axes;
  axes.instances = {4};
  axes.cores = 2;
  auto configs = expand(axes, "torch", std::vector{images("b")});
  ASSERT_TRUE(configs);
  const auto notes = leave_out_overcommitted(*configs, axes.cores);
  ASSERT_FALSE(notes);
  EXPECT_EQ(notes.error().kind, base::ErrorKind::usage);
  EXPECT_THAT(notes.error().fix, testing::HasSubstr("--instances 2 --threads 1"));
}

TEST(Axes, OnlyTrainingHasAnOptimizer) {
  Axes axes;
  axes.batch_sizes = {1};
  axes.modes = {schema::Mode::infer, schema::Mode::train};
  axes.optimizer = "adamw";
  const auto configs = expand(axes, "torch", std::vector{images("b")});
  ASSERT_TRUE(configs);
  EXPECT_EQ((*configs)[0].optimizer, "");
  EXPECT_EQ((*configs)[1].optimizer, "adamw");
}

LengthMix uniform(int64_t low, int64_t high) {
  LengthMix mix;
  mix.text = std::to_string(low) + "-" + std::to_string(high) + ":uniform";
  mix.low = low;
  mix.high = high;
  return mix;
}

TEST(Axes, AMixIsBesideLengthsAndHasItsOwnForEveryBatchSize) {
  Axes axes;
  axes.batch_sizes = {1, 4};
  axes.seq_lens = {64};
  axes.length_mixes = {uniform(16, 128)};
  auto model = tokens("a");
  model.spec.seed = 7;
  const auto configs = expand(axes, "torch", std::vector{model});
  ASSERT_TRUE(configs);
  ASSERT_EQ(configs->size(), 4u);
  EXPECT_EQ((*configs)[0].shape, (schema::Shape{1, 64}));
  EXPECT_EQ((*configs)[1].shape, (schema::Shape{4, 64}));
  for (const size_t i : {size_t{2}, size_t{3}}) {
    const schema::Shape& shape = (*configs)[i].shape;
    EXPECT_FALSE(shape.seq_len);
    EXPECT_EQ(shape.length_mix, "16-128:uniform");
    EXPECT_EQ(shape.lengths, cycle_lengths(axes.length_mixes[0], shape.batch_size, 7));
  }
}

double padding_of(const schema::RunConfig& config) {
  const auto tokens = schema::tokens_of(config.shape);
  return 1 - static_cast<double>(tokens->real) / static_cast<double>(tokens->padded);
}

// A law stands for 10,000 texts.
TEST(Axes, ASortWindowArrangesTheLengthsOfAMix) {
  Axes axes;
  axes.batch_sizes = {8};
  axes.length_mixes = {uniform(16, 128)};
  const auto sorted = [](int64_t window, bool all) {
    return schema::TextPipeline{.tokenizer = "t",
                                .order = schema::TextOrder::sorted,
                                .sort_window = window,
                                .sort_all = all};
  };
  axes.pipelines = {sorted(0, true), sorted(10'000, false), sorted(64, false), {.tokenizer = "t"}};
  const auto configs = expand(axes, "torch", std::vector{tokens("a")});
  ASSERT_TRUE(configs);
  ASSERT_EQ(configs->size(), 4u);
  EXPECT_EQ((*configs)[0].pipeline->sort_window, 10'000);
  EXPECT_EQ((*configs)[1], (*configs)[0]);
  EXPECT_LT(padding_of((*configs)[0]), 0.01);
  EXPECT_NEAR(padding_of((*configs)[2]), 0.07, 0.03);
  EXPECT_GT(padding_of((*configs)[3]), 0.3);
  EXPECT_EQ((*configs)[3].pipeline->sort_window, 1);
}

TEST(Axes, AMixAloneLeavesTheModelsOwnLengthOut) {
  Axes axes;
  axes.batch_sizes = {1};
  axes.length_mixes = {uniform(4, 8)};
  const auto configs = expand(axes, "torch", std::vector{tokens("a"), images("b")});
  ASSERT_TRUE(configs);
  ASSERT_EQ(configs->size(), 2u);
  EXPECT_EQ((*configs)[0].shape.length_mix, "4-8:uniform");
  EXPECT_EQ((*configs)[1].shape, schema::Shape{1});
  EXPECT_FALSE(expand(axes, "torch", std::vector{images("b")}));
}

TEST(Axes, TheLengthsOfAMixMustFitARunFile) {
  Axes axes;
  axes.batch_sizes = {kLargestMixedBatch + 1};
  ASSERT_TRUE(expand(axes, "torch", std::vector{tokens("a")}));
  axes.length_mixes = {uniform(4, 8)};
  const auto configs = expand(axes, "torch", std::vector{tokens("a")});
  ASSERT_FALSE(configs);
  EXPECT_EQ(configs.error().where, "--batch-sizes");
}

TEST(Axes, OnlyTrainingAccumulatesAndLoads) {
  Axes axes;
  axes.batch_sizes = {2, 4};
  axes.modes = {schema::Mode::infer, schema::Mode::train};
  axes.accumulations = {1, 2};
  axes.loaders = {{"data", 0, 2}, {"data", 1, 2}};
  const auto configs = expand(axes, "torch", std::vector{images("a")});
  ASSERT_TRUE(configs);
  ASSERT_EQ(configs->size(), 2u + 2 * 2 * 2);
  for (const schema::RunConfig& config : *configs) {
    const bool trains = config.mode == schema::Mode::train;
    EXPECT_EQ(config.loader.has_value(), trains);
    EXPECT_TRUE(trains || config.accumulation == 1);
  }
  EXPECT_EQ(configs->back().accumulation, 2);
  EXPECT_EQ(configs->back().loader->workers, 1);
}

TEST(Axes, AnEffectiveBatchIsMadeByEverySizeThatDividesIt) {
  Axes axes;
  axes.batch_sizes = {3, 8, 32, 64};
  axes.modes = {schema::Mode::train};
  axes.effective_batch = 32;
  const auto configs = expand(axes, "torch", std::vector{images("a")});
  ASSERT_TRUE(configs);
  ASSERT_EQ(configs->size(), 2u);
  EXPECT_EQ((*configs)[0].shape.batch_size, 8);
  EXPECT_EQ((*configs)[0].accumulation, 4);
  EXPECT_EQ((*configs)[1].accumulation, 1);
  axes.batch_sizes = {3, 5};
  const auto none = expand(axes, "torch", std::vector{images("a")});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().where, "--effective-batch");
}

TEST(Axes, AMixOfLengthsHasEnoughSamplesForFullSteps) {
  Axes axes;
  axes.batch_sizes = {4};
  axes.modes = {schema::Mode::train};
  axes.accumulations = {3};
  axes.length_mixes = {*parse_length_mix("4-16:uniform")};
  const auto configs = expand(axes, "torch", std::vector{tokens("a")});
  ASSERT_TRUE(configs);
  EXPECT_EQ(configs->front().shape.lengths.size() % 12, 0u);
  EXPECT_EQ(schema::tokens_of(configs->front())->iterations,
            static_cast<int64_t>(configs->front().shape.lengths.size() / 12));
  axes.accumulations = {100'000};
  EXPECT_EQ(expand(axes, "torch", std::vector{tokens("a")}).error().where, "--accumulation");
}

}  // namespace
}  // namespace batchscope::study
