#include <gtest/gtest.h>

#include "batchscope/engine/engine.hpp"

namespace batchscope::engine {
namespace {

InputSpec parsed(std::string_view text) {
  auto spec = parse_input_spec(text);
  EXPECT_TRUE(spec) << (spec ? "" : base::to_string(spec.error()));
  return spec ? *spec : InputSpec{};
}

TEST(InputSpec, ReadsNameShapeAndType) {
  const InputSpec spec = parsed("input_ids:BxS:int64");
  EXPECT_EQ(spec.name, "input_ids");
  ASSERT_EQ(spec.dimensions.size(), 2u);
  EXPECT_EQ(spec.dimensions[0].symbol, "B");
  EXPECT_EQ(spec.dimensions[1].symbol, "S");
  EXPECT_EQ(spec.dtype, "int64");
  EXPECT_FALSE(spec.constant || spec.low || spec.high);
}

TEST(InputSpec, IsFloat32UnlessSaidOtherwise) {
  const InputSpec spec = parsed("x:Bx1024");
  EXPECT_EQ(spec.dtype, "float32");
  EXPECT_EQ(spec.dimensions[1].size, 1024);
  EXPECT_EQ(spec.dimensions[1].symbol, "");
}

TEST(InputSpec, TakesConstantsAndRanges) {
  EXPECT_EQ(parsed("mask:BxS:int64=1").constant, 1.0);
  EXPECT_EQ(parsed("x:B=0.5").constant, 0.5);
  EXPECT_EQ(parsed("x:B=-1.5").constant, -1.5);
  const InputSpec range = parsed("ids:BxS:int64=0-30521");
  EXPECT_EQ(range.low, 0);
  EXPECT_EQ(range.high, 30521);
  const InputSpec negative = parsed("ids:B:int32=-3--1");
  EXPECT_EQ(negative.low, -3);
  EXPECT_EQ(negative.high, -1);
}

class WrongInputSpec : public testing::TestWithParam<const char*> {};

TEST_P(WrongInputSpec, IsRefusedWithTheFormThatIsExpected) {
  const auto spec = parse_input_spec(GetParam());
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().kind, base::ErrorKind::usage);
  EXPECT_NE(spec.error().fix.find("NAME:SHAPE"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, WrongInputSpec,
                         testing::Values("", "x", "x:", ":BxS", "x:1024", "x:Bx0", "x:Bx-1",
                                         "x:BxN", "x:Bx", "x:B:int8", "x:B:int64:1",
                                         "x:B=", "x:B=abc", "x:B=1-2", "x:B:int64=5-2",
                                         "x:B:int64=1.5", "x:B=inf", "x:B=nan"));

}  // namespace
}  // namespace batchscope::engine
