#include "precision.hpp"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace batchscope::torch_plugin {
namespace {

at::ScalarType product_type() {
  return at::ones({2, 2}).matmul(at::ones({2, 2})).scalar_type();
}

TEST(Autocast, HoldsForItsScopeOnly) {
  {
    const Autocast autocast(at::kCPU, at::kBFloat16);
    EXPECT_EQ(product_type(), at::kBFloat16);
  }
  EXPECT_EQ(product_type(), at::kFloat);
}

TEST(Autocast, DoesNothingWithoutAType) {
  const Autocast autocast(at::kCPU, std::nullopt);
  EXPECT_EQ(product_type(), at::kFloat);
}

TEST(CheckStored, ComparesFloatingTypesOnly) {
  EXPECT_TRUE(check_stored({at::kFloat, at::kLong}, schema::Precision::fp32, "m", "f"));
  EXPECT_TRUE(check_stored({}, schema::Precision::bf16, "m", "f"));
  const auto refused = check_stored({at::kFloat, at::kHalf}, schema::Precision::fp32, "m", "f");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, testing::HasSubstr("Half"));
  EXPECT_THAT(refused.error().what, testing::HasSubstr("fp32"));
}

TEST(ParseScalarType, KnowsTheNamesOfInputSpecs) {
  EXPECT_EQ(parse_scalar_type("float32"), at::kFloat);
  EXPECT_EQ(parse_scalar_type("int64"), at::kLong);
  EXPECT_EQ(parse_scalar_type("bool"), at::kBool);
  EXPECT_EQ(parse_scalar_type("complex64"), std::nullopt);
}

}  // namespace
}  // namespace batchscope::torch_plugin
