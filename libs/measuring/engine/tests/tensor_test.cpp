#include "batchscope/engine/tensor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "batchscope/engine/engine.hpp"

namespace batchscope::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class T>
Tensor tensor_of(std::string name, DType dtype, std::vector<int64_t> dimensions,
                 const std::vector<T>& values) {
  Tensor tensor{std::move(name), dtype, std::move(dimensions), {}};
  tensor.data.resize(values.size() * sizeof(T));
  std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
  return tensor;
}

TEST(Tensor, ReadsEveryTypeAsFloats) {
  const std::vector<Tensor> tensors{
      tensor_of<float>("x", DType::float32, {2}, {-1.5F, 3}),
      tensor_of<double>("x", DType::float64, {2}, {-1.5, 3}),
      tensor_of<uint16_t>("x", DType::bfloat16, {2}, {0xbfc0, 0x4040}),
      tensor_of<uint16_t>("x", DType::float16, {2}, {0xbe00, 0x4200}),
  };
  for (const Tensor& each : tensors)
    EXPECT_THAT(*to_floats(each), ElementsAre(-1.5F, 3)) << to_string(each.dtype);
  EXPECT_THAT(*to_floats(tensor_of<int64_t>("x", DType::int64, {1}, {-7})), ElementsAre(-7));
  EXPECT_THAT(*to_floats(tensor_of<int32_t>("x", DType::int32, {1}, {-7})), ElementsAre(-7));
  EXPECT_THAT(*to_floats(tensor_of<char>("x", DType::boolean, {1}, {1})), ElementsAre(1));
}

TEST(Tensor, ReadsTheLimitsOfFloat16) {
  const auto values = *to_floats(tensor_of<uint16_t>(
      "x", DType::float16, {6}, {0x0001, 0x03ff, 0x0400, 0x7bff, 0x7c00, 0x7e00}));
  EXPECT_EQ(values[0], 0x1p-24F);
  EXPECT_EQ(values[1], 1023 * 0x1p-24F);
  EXPECT_EQ(values[2], 0x1p-14F);
  EXPECT_EQ(values[3], 65504);
  EXPECT_EQ(values[4], std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(values[5]));
}

TEST(Tensor, RefusesDataThatDoesNotFillIt) {
  Tensor tensor = float_tensor("x", {2, 2}, std::vector<float>{1, 2, 3});
  EXPECT_EQ(to_floats(tensor).error().kind, base::ErrorKind::input);
}

TEST(Tensor, CountsElementsWhoseBytesCanBeCounted) {
  const int64_t half = int64_t{1} << 62;
  EXPECT_EQ(elements_of(std::vector<int64_t>{2, 3}, 4), 6);
  EXPECT_EQ(elements_of(std::vector<int64_t>{}, 4), 1);
  EXPECT_EQ(elements_of(std::vector<int64_t>{half}, 1), half);
  EXPECT_FALSE(elements_of(std::vector<int64_t>{half}, 2));
  EXPECT_FALSE(elements_of(std::vector<int64_t>{half, 2}, 1));
}

class MatchTensors : public testing::Test {
 protected:
  base::Error error() const {
    const auto matched = match_tensors(wanted_, given_, "model.xml");
    return matched ? base::Error{} : matched.error();
  }

  std::vector<InputSpec> wanted_{*parse_input_spec("ids:BxS:int64"), *parse_input_spec("x:BxSx2")};
  std::vector<Tensor> given_{float_tensor("x", {1, 3, 2}, std::vector<float>(6)),
                             tensor_of<int64_t>("ids", DType::int64, {1, 3}, {1, 2, 3})};
};

TEST_F(MatchTensors, PutsThemInTheModelsOrder) {
  const auto matched = match_tensors(wanted_, given_, "model.xml");
  ASSERT_TRUE(matched) << base::to_string(matched.error());
  EXPECT_THAT(*matched, ElementsAre(&given_[1], &given_[0]));
}

TEST_F(MatchTensors, SaysWhichNamesThereAre) {
  given_[1].name = "input_ids";
  EXPECT_EQ(error().kind, base::ErrorKind::usage);
  EXPECT_THAT(error().what, HasSubstr("'ids' is missing"));
  EXPECT_EQ(error().where, "model.xml");
  EXPECT_THAT(error().fix, HasSubstr("ids:BxS:int64, x:BxSx2:float32"));
  given_[1].name = "ids";
  given_.push_back(given_[0]);
  EXPECT_THAT(error().what, HasSubstr("twice"));
  given_.back().name = "y";
  EXPECT_THAT(error().what, HasSubstr("no input 'y'"));
}

TEST_F(MatchTensors, RefusesAnotherType) {
  given_[1].dtype = DType::int32;
  EXPECT_EQ(error().kind, base::ErrorKind::input);
  EXPECT_THAT(error().what, HasSubstr("ids int32 [1, 3] is not int64"));
}

TEST_F(MatchTensors, RefusesAnotherShape) {
  given_[0].dimensions = {1, 2, 3};
  EXPECT_THAT(error().what, HasSubstr("does not fit"));
  given_[0].dimensions = {1, 6};
  EXPECT_THAT(error().what, HasSubstr("does not fit"));
  given_[0] = float_tensor("x", {1, 4, 2}, std::vector<float>(8));  // another S than the ids
  EXPECT_THAT(error().what, HasSubstr("does not fit"));
  given_[0] = float_tensor("x", {1, 3, 2}, std::vector<float>(5));
  EXPECT_THAT(error().what, HasSubstr("20 bytes"));
}

}  // namespace
}  // namespace batchscope::engine
