#include "batches/batch.hpp"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace batchscope::torch_plugin {
namespace {

engine::InputSpec spec(std::string name, std::vector<engine::Dimension> dimensions,
                       engine::DType dtype = engine::DType::float32) {
  engine::InputSpec made;
  made.name = std::move(name);
  made.dimensions = std::move(dimensions);
  made.dtype = dtype;
  return made;
}

LoadedProgram program_with(std::vector<engine::InputSpec> inputs) {
  LoadedProgram loaded;
  loaded.inputs = std::move(inputs);
  return loaded;
}

const engine::Dimension kB{0, engine::Symbol::batch};
const engine::Dimension kS{0, engine::Symbol::length};

TEST(MakeBatch, PutsTheShapeInPlaceOfTheSymbols) {
  const auto loaded = program_with({spec("x", {kB, {3}, kS})});
  const auto batch = make_batch(loaded, {5, 7}, at::kFloat, false, 1);
  ASSERT_TRUE(batch);
  EXPECT_EQ(batch->inputs.at(0).sizes(), at::IntArrayRef({5, 3, 7}));
  EXPECT_EQ(batch->inputs.at(0).scalar_type(), at::kFloat);
}

TEST(MakeBatch, DrawsFloatsFromZeroToOne) {
  const auto batch =
      make_batch(program_with({spec("x", {kB, {1000}})}), {4, {}}, at::kFloat, false, 1);
  EXPECT_GE(batch->inputs[0].min().item<float>(), 0);
  EXPECT_LT(batch->inputs[0].max().item<float>(), 1);
  EXPECT_GT(batch->inputs[0].std().item<float>(), 0.2);
}

TEST(MakeBatch, DrawsIntegersFromTheRangeWithBothEnds) {
  auto ids = spec("ids", {kB, kS}, engine::DType::int64);
  ids.low = 3;
  ids.high = 6;
  const auto batch = make_batch(program_with({ids}), {8, 64}, at::kFloat, false, 1);
  EXPECT_EQ(batch->inputs[0].scalar_type(), at::kLong);
  EXPECT_EQ(batch->inputs[0].min().item<int64_t>(), 3);
  EXPECT_EQ(batch->inputs[0].max().item<int64_t>(), 6);
}

TEST(MakeBatch, FillsWithAConstant) {
  auto mask = spec("mask", {kB}, engine::DType::boolean);
  mask.constant = 1;
  const auto batch = make_batch(program_with({mask}), {3, {}}, at::kFloat, false, 1);
  EXPECT_EQ(batch->inputs[0].scalar_type(), at::kBool);
  EXPECT_TRUE(batch->inputs[0].all().item<bool>());
}

TEST(MakeBatch, RepeatsItselfForTheSameSeed) {
  const auto loaded = program_with({spec("x", {kB, {9}})});
  const auto first = make_batch(loaded, {2, {}}, at::kFloat, false, 1);
  EXPECT_TRUE(
      at::equal(first->inputs[0], make_batch(loaded, {2, {}}, at::kFloat, false, 1)->inputs[0]));
  EXPECT_FALSE(
      at::equal(first->inputs[0], make_batch(loaded, {2, {}}, at::kFloat, false, 2)->inputs[0]));
}

TEST(MakeBatch, FeedsEveryPrecisionTheSameNumbersRounded) {
  const auto loaded = program_with({spec("x", {kB, {9}}), spec("y", {kB}, engine::DType::float64)});
  const auto full = make_batch(loaded, {2, {}}, at::kFloat, false, 1);
  const auto low = make_batch(loaded, {2, {}}, at::kBFloat16, false, 1);
  EXPECT_TRUE(at::equal(full->inputs[0].to(at::kBFloat16), low->inputs[0]));
  EXPECT_EQ(low->inputs[1].scalar_type(), at::kDouble);  // what was asked for by name stays
}

TEST(MakeBatch, AddsTheTargetOnlyWhenAsked) {
  auto loaded = program_with({spec("x", {kB})});
  loaded.target = spec("target", {kB, {4}});
  EXPECT_FALSE(make_batch(loaded, {2, {}}, at::kFloat, false, 1)->target.has_value());
  const auto with = make_batch(loaded, {2, {}}, at::kBFloat16, true, 1);
  EXPECT_EQ(with->target->sizes(), at::IntArrayRef({2, 4}));
  EXPECT_EQ(with->target->scalar_type(), at::kFloat);
}

TEST(MakeBatch, RefusesALengthThatIsMissingSuperfluousOrTooLong) {
  auto tokens = program_with({spec("ids", {kB, kS}, engine::DType::int64)});
  EXPECT_THAT(make_batch(tokens, {1, {}}, at::kFloat, false, 1).error().what,
              testing::HasSubstr("need a sequence length (S)"));
  tokens.longest_seq_len = 16;
  EXPECT_THAT(make_batch(tokens, {1, 17}, at::kFloat, false, 1).error().what,
              testing::HasSubstr("16 tokens"));
  EXPECT_TRUE(make_batch(tokens, {1, 16}, at::kFloat, false, 1));
  EXPECT_THAT(
      make_batch(program_with({spec("x", {kB})}), {1, 4}, at::kFloat, false, 1).error().what,
      testing::HasSubstr("no input"));
}

TEST(MakeBatch, TakesTheModelsOwnLengthWhereNoneIsGiven) {
  auto tokens = program_with({spec("ids", {kB, kS}, engine::DType::int64)});
  tokens.default_seq_len = 12;
  EXPECT_EQ(make_batch(tokens, {1, {}}, at::kFloat, false, 1)->inputs[0].size(1), 12);
}

TEST(MakeBatches, PadsEachBatchToItsOwnLongestSample) {
  auto ids = spec("input_ids", {kB, kS}, engine::DType::int64);
  ids.high = 9;
  auto mask = spec("attention_mask", {kB, kS}, engine::DType::int64);
  mask.constant = 1;
  const auto loaded = program_with({ids, mask});
  const schema::Shape shape{2, std::nullopt, "mix", {3, 1, 4, 4}};
  const auto batches = make_batches(loaded, shape, at::kFloat, false, 1);
  ASSERT_TRUE(batches);
  ASSERT_EQ(batches->size(), 2u);
  EXPECT_EQ((*batches)[0].inputs[0].sizes(), at::IntArrayRef({2, 3}));
  EXPECT_EQ((*batches)[1].inputs[0].sizes(), at::IntArrayRef({2, 4}));
  EXPECT_TRUE(at::equal((*batches)[0].inputs[1], at::tensor({1, 1, 1, 1, 0, 0}).view({2, 3})));
  EXPECT_TRUE(at::equal((*batches)[1].inputs[1], at::ones({2, 4}, at::kLong)));
}

TEST(MakeBatches, MasksWhateverIsNamedAMaskInItsOwnTypeAndShape) {
  const auto loaded = program_with(
      {spec("PaddingMask", {kB, {1}, kS}), spec("mask_of_batch", {kB}, engine::DType::int64)});
  const auto batches = make_batches(loaded, {2, std::nullopt, "mix", {1, 2}}, at::kFloat, false, 1);
  ASSERT_TRUE(batches);
  const auto& inputs = batches->front().inputs;
  EXPECT_TRUE(at::equal(inputs[0], at::tensor({1.F, 0.F, 1.F, 1.F}).view({2, 1, 2})));
  EXPECT_EQ(inputs[1].sizes(), at::IntArrayRef({2}));
}

TEST(MakeBatches, WithoutLengthsIsTheOneBatch) {
  const auto loaded = program_with({spec("x", {kB, kS})});
  const auto batches = make_batches(loaded, {2, 5}, at::kFloat, false, 1);
  ASSERT_TRUE(batches);
  ASSERT_EQ(batches->size(), 1u);
  EXPECT_TRUE(at::equal((*batches)[0].inputs[0],
                        make_batch(loaded, {2, 5}, at::kFloat, false, 1)->inputs[0]));
}

TEST(MakeBatches, RefusesALengthThatTheModelHasNoPositionsFor) {
  auto loaded = program_with({spec("ids", {kB, kS}, engine::DType::int64)});
  loaded.longest_seq_len = 16;
  const auto batches =
      make_batches(loaded, {1, std::nullopt, "mix", {16, 17}}, at::kFloat, false, 1);
  ASSERT_FALSE(batches);
  EXPECT_THAT(batches.error().what, testing::HasSubstr("16 tokens"));
}

}  // namespace
}  // namespace batchscope::torch_plugin
