#include "programs/aot_inputs.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace batchscope::torch_plugin {
namespace {

// The shape of what the compiler writes: one function an input.
constexpr std::string_view kSource = R"(
AOTI_NOINLINE static void check_input_0(
    AtenTensorHandle* input_handles
) {
    int32_t a_expected_dtype = aoti_torch_dtype_float32();
    if (a_size[0] < 2) {
    }
    if (a_size[0] > 1024) {
    }
    if (64 != a_size[1]) {
    }
    if (64 != a_stride[0]) {
    }
    if (1 != a_stride[1]) {
    }
}

AOTI_NOINLINE static void check_input_1(
    AtenTensorHandle* input_handles
) {
    int32_t b_expected_dtype = aoti_torch_dtype_int64();
    if (1 != b_stride[1]) {
    }
}
)";

TEST(CompiledInputs, AreReadFromTheChecksInTheSource) {
  const auto inputs = compiled_inputs(kSource);
  ASSERT_EQ(inputs.size(), 2);
  EXPECT_EQ(describe(inputs[0]), "float32 ?(<=1024)x64");
  EXPECT_EQ(describe(inputs[1]), "int64 ?x?");
  EXPECT_TRUE(compiled_inputs("int main() {}").empty());
}

TEST(CompiledInputs, FitOnlyWhatTheyWereCompiledFor) {
  const CompiledInput input = compiled_inputs(kSource)[0];
  EXPECT_TRUE(fits(input, at::zeros({2, 64})));
  EXPECT_TRUE(fits(input, at::zeros({1, 64})));  // though the source says at least 2
  EXPECT_TRUE(fits(input, at::zeros({1024, 64})));
  EXPECT_FALSE(fits(input, at::zeros({1025, 64})));
  EXPECT_FALSE(fits(input, at::zeros({2, 63})));
  EXPECT_FALSE(fits(input, at::zeros({2, 64, 1})));
  EXPECT_FALSE(fits(input, at::zeros({64})));
  EXPECT_FALSE(fits(input, at::zeros({2, 64}, at::kLong)));
}

}  // namespace
}  // namespace batchscope::torch_plugin
