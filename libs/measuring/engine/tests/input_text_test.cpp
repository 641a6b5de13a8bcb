#include "batchscope/engine/input_text.hpp"

#include <gtest/gtest.h>

namespace batchscope::engine {
namespace {

InputSpec spec_of(const char* text) {
  const auto spec = parse_input_spec(text);
  EXPECT_TRUE(spec) << text;
  return *spec;
}

TEST(InputText, IsReadAsTheSameInput) {
  for (const char* const text : {"x:Bx3x224x224", "input_ids:BxS:int64=0-30521", "mask:BxS:int64=1",
                                 "x:B:float16=0.5", "n:SxBx4:int32=-3-7", "flag:B:bool=1"}) {
    EXPECT_EQ(to_text(spec_of(text)), text);
  }
  EXPECT_EQ(to_text(spec_of("x:Bx4:float32")), "x:Bx4");
}

TEST(InputText, OfOneBatchSizeIsTypedWithB) {
  InputSpec one;
  one.name = "image";
  one.dimensions = {{8}, {3}, {32}, {32}};
  EXPECT_EQ(to_text(one), "image:Bx3x32x32");
  EXPECT_EQ(describe(one), "image float32 [8, 3, 32, 32]");
}

TEST(InputText, ANameThatCannotBeTypedLeavesAllOut) {
  const InputSpec plain = spec_of("x:Bx4");
  InputSpec port = plain;
  port.name = "serving_default_x:0";
  EXPECT_EQ(to_texts(std::vector{plain}), std::vector<std::string>{"x:Bx4"});
  EXPECT_TRUE(to_texts(std::vector{plain, port}).empty());
}

TEST(InputText, SaysShapeTypeAndValues) {
  EXPECT_EQ(describe(spec_of("x:Bx3x224x224")), "x float32 [B, 3, 224, 224]");
  EXPECT_EQ(describe(spec_of("ids:BxS:int64=0-999")), "ids int64 [B, S] of 0 to 999");
  EXPECT_EQ(describe(spec_of("mask:BxS:int64=1")), "mask int64 [B, S] of 1");
}

}  // namespace
}  // namespace batchscope::engine
