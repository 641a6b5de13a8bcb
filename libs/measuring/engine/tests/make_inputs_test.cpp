#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "batchscope/engine/engine.hpp"

namespace batchscope::engine {
namespace {

using testing::Each;
using testing::ElementsAre;

InputSpec spec(const char* text) {
  return *parse_input_spec(text);
}

std::vector<float> made(const char* text, const schema::Shape& shape, int64_t index = 0,
                        uint64_t seed = 5) {
  const std::vector<InputSpec> specs{spec(text)};
  const auto inputs = make_inputs(specs, shape, index, seed);
  EXPECT_TRUE(inputs) << base::to_string(inputs.error());
  return *to_floats(inputs->front());
}

// The values that torch's generator gives for the seed: torch.rand(3), torch.randint(0, 30522,
// (4,)).
TEST(MakeInputs, DrawsAsTorchDoes) {
  EXPECT_THAT(made("x:Bx3", {1, {}}),
              ElementsAre(0.8302518725395203F, 0.12611091136932373F, 0.9074696898460388F));
  const std::vector<InputSpec> specs{spec("x:Bx3"), spec("ids:Bx4:int64=0-30521")};
  const auto inputs = make_inputs(specs, {1, {}}, 0, 5);
  ASSERT_TRUE(inputs);
  EXPECT_THAT(*to_floats((*inputs)[1]), ElementsAre(1281, 28070, 22, 7984));
}

TEST(MakeInputs, GivesEveryTypeTheSameValues) {
  for (const char* type : {"float32", "float64", "float16", "bfloat16"}) {
    const auto values = made((std::string("x:Bx2:") + type).c_str(), {2, {}});
    ASSERT_EQ(values.size(), 4u);
    EXPECT_NEAR(values[0], 0.8302518725395203F, 4e-3) << type;
  }
  for (const char* type : {"int64", "int32", "bool"}) {
    EXPECT_THAT(made((std::string("x:Bx2:") + type + "=1").c_str(), {2, {}}), Each(1)) << type;
  }
}

TEST(MakeInputs, ReachesBothEndsOfARange) {
  const auto values = made("x:B:int32=-2-1", {200, {}});
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), -2);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 1);
}

TEST(MakeInputs, DrawsFromTheLargestRangesOfIntegers) {
  InputSpec widest = spec("x:B:int64=0-9");
  widest.low = std::numeric_limits<int64_t>::min();
  widest.high = std::numeric_limits<int64_t>::max();
  const std::vector<InputSpec> specs{widest, spec("y:B:int64=-9223372036854775808--2"),
                                     spec("z:B:int32=-2147483648-2147483647")};
  const auto inputs = make_inputs(specs, {200, {}}, 0, 5);
  ASSERT_TRUE(inputs);
  for (const Tensor& each : *inputs) {
    const auto values = *to_floats(each);
    EXPECT_LT(*std::min_element(values.begin(), values.end()), 0) << each.name;
    EXPECT_EQ(*std::max_element(values.begin(), values.end()) > 0, each.name != "y") << each.name;
  }
}

TEST(MakeInputs, RefusesMoreBytesThanCanBeCounted) {
  const std::vector<InputSpec> specs{spec("x:Bx1000000000000")};
  const auto inputs = make_inputs(specs, {1'000'000'000, {}}, 0, 1);
  ASSERT_FALSE(inputs);
  EXPECT_EQ(inputs.error().kind, base::ErrorKind::out_of_memory);
  EXPECT_EQ(inputs.error().where, "--input x");
}

TEST(MakeInputs, MarksThePaddingOfEachBatchOfACycle) {
  const schema::Shape shape{2, std::nullopt, "mix", {3, 5, 4, 1}};
  EXPECT_THAT(made("mask:BxS:int64", shape, 0), ElementsAre(1, 1, 1, 0, 0, 1, 1, 1, 1, 1));
  EXPECT_THAT(made("mask:BxS:int64", shape, 1), ElementsAre(1, 1, 1, 1, 1, 0, 0, 0));
  EXPECT_EQ(made("x:BxS", shape, 1).size(), 8u);
  EXPECT_NE(made("x:BxS", {2, 4}, 0), made("x:BxS", {2, 4}, 1));
}

TEST(MakeInputs, RefusesALengthThatIsMissingOrHasNoPlace) {
  const std::vector<InputSpec> with{spec("x:BxS")}, without{spec("x:B")};
  EXPECT_EQ(make_inputs(with, {1, {}}, 0, 1).error().where, "--seq-lens");
  EXPECT_EQ(make_inputs(without, {1, 7}, 0, 1).error().where, "--seq-lens");
}

}  // namespace
}  // namespace batchscope::engine
