#include "libtorch/precision.hpp"

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

TEST(ScalarType, KnowsTheTypesOfInputSpecs) {
  EXPECT_EQ(scalar_type(engine::DType::float32), at::kFloat);
  EXPECT_EQ(scalar_type(engine::DType::int64), at::kLong);
  EXPECT_EQ(scalar_type(engine::DType::boolean), at::kBool);
  EXPECT_EQ(dtype_of(at::kHalf), engine::DType::float16);
  EXPECT_EQ(dtype_of(at::kComplexFloat), std::nullopt);
}

}  // namespace
}  // namespace batchscope::torch_plugin
