#include <gtest/gtest.h>

#include <limits>

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
  EXPECT_EQ(spec.dimensions[0].symbol, Symbol::batch);
  EXPECT_EQ(spec.dimensions[1].symbol, Symbol::length);
  EXPECT_EQ(spec.dtype, DType::int64);
  EXPECT_FALSE(spec.constant || spec.low || spec.high);
}

TEST(InputSpec, IsFloat32UnlessStatedOtherwise) {
  const InputSpec spec = parsed("x:Bx1024");
  EXPECT_EQ(spec.dtype, DType::float32);
  EXPECT_EQ(spec.dimensions[1].size, 1024);
  EXPECT_EQ(spec.dimensions[1].symbol, Symbol::none);
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

// {what is typed, the range that is told}
class ValueOutOfRange : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ValueOutOfRange, IsRefusedByValueAndTypeWithTheRange) {
  const auto& [text, range] = GetParam();
  const auto spec = parse_input_spec(text);
  ASSERT_FALSE(spec) << text;
  EXPECT_EQ(spec.error().kind, base::ErrorKind::usage);
  EXPECT_NE(spec.error().what.find(range), std::string::npos) << spec.error().what;
}

INSTANTIATE_TEST_SUITE_P(
    All, ValueOutOfRange,
    testing::Values(
        std::pair("x:B:int32=0-9999999999",
                  "9999999999 cannot be drawn as int32; -2147483648 to 2147483647 can"),
        std::pair("x:B:int32=3e9", "3e9 cannot be a value of int32; -2147483648 to 2147483647 can"),
        std::pair("x:B:int64=1e300", "1e300 cannot be a value of int64; -9007199254740992 to"),
        std::pair("x:B:int64=9007199254740994", "-9007199254740992 to 9007199254740992 can"),
        std::pair("x:B:int64=0-9223372036854775807", "-9223372036854775808 to 9223372036854775806"),
        std::pair("x:B:int64=0-99999999999999999999", "99999999999999999999 cannot be drawn as"),
        std::pair("x:B:int64=-9223372036854775808-9223372036854775806", "too large"),
        std::pair("x:B:bool=0-5", "5 cannot be drawn as bool; 0 to 1 can"),
        std::pair("x:B:bool=2", "2 cannot be a value of bool; 0 to 1 can"),
        std::pair("x:B=1e39", "1e39 cannot be a value of float32; -3.4028e+38 to 3.4028e+38 can"),
        std::pair("x:B:float16=65505", "65505 cannot be a value of float16; -65504 to 65504 can"),
        std::pair("x:B:bfloat16=3.4e38", "3.4e38 cannot be a value of bfloat16"),
        std::pair("x:Bx9223372036854775807", "more bytes than 64 bits can count"),
        std::pair("x:Bx4294967296x4294967296", "more bytes than 64 bits can count")));

TEST(InputSpec, TakesTheLargestRanges) {
  EXPECT_EQ(parsed("x:B:int32=-2147483648-2147483647").high, 2147483647);
  EXPECT_EQ(parsed("x:B:int64=0-9223372036854775806").high, 9223372036854775806);
  EXPECT_EQ(parsed("x:B:int64=-9223372036854775808--2").high, -2);
  EXPECT_EQ(parsed("x:B=-3.4e38").constant, -3.4e38);
  EXPECT_EQ(parsed("x:B:bool=0-1").high, 1);
}

TEST(InputSpec, MakesIntegersOfDraws) {
  const InputSpec ids = parsed("x:B:int64=10-12");
  EXPECT_EQ(integer_of(ids, 0), 10);
  EXPECT_EQ(integer_of(ids, 5), 12);
  EXPECT_EQ(integer_of(parsed("x:B:int64"), 3), 1);
  const InputSpec all = parsed("x:B:int64=-9223372036854775808--2");
  EXPECT_EQ(integer_of(all, 0), std::numeric_limits<int64_t>::min());
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
