#include "model_inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixture_models.hpp"

namespace batchscope::openvino_plugin {
namespace {

using testing::HasSubstr;

std::vector<engine::InputSpec> specs(std::initializer_list<const char*> texts) {
  std::vector<engine::InputSpec> given;
  for (const char* text : texts) given.push_back(*engine::parse_input_spec(text));
  return given;
}

base::Error error(const std::shared_ptr<ov::Model>& model,
                  std::initializer_list<const char*> given) {
  const auto inputs = model_inputs(*model, specs(given), "model.xml");
  EXPECT_FALSE(inputs);
  return inputs ? base::Error{} : inputs.error();
}

TEST(ModelInputs, AreWhatTheModelSays) {
  const auto inputs = model_inputs(*encoder(), {}, "model.xml");
  ASSERT_TRUE(inputs) << base::to_string(inputs.error());
  ASSERT_EQ(inputs->size(), 2u);
  const engine::InputSpec& ids = inputs->at(0);
  EXPECT_EQ(ids.name, "input_ids");
  EXPECT_EQ(ids.dtype, engine::DType::int64);
  EXPECT_EQ(ids.dimensions[0].symbol, engine::Symbol::batch);
  EXPECT_EQ(ids.dimensions[1].symbol, engine::Symbol::length);
  EXPECT_EQ(ids.low, 0);
  EXPECT_EQ(ids.high, kRows - 1);
  EXPECT_EQ(inputs->at(1).name, "attention_mask");
  EXPECT_EQ(inputs->at(1).constant, 1);
}

TEST(ModelInputs, KeepAFixedBatchAsANumber) {
  for (const bool with_input : {false, true}) {
    const auto given = with_input ? specs({"x:Bx4"}) : specs({});
    const auto inputs = model_inputs(*matrix(2), given, "model.xml");
    ASSERT_TRUE(inputs);
    EXPECT_EQ(inputs->front().dimensions[0].symbol, engine::Symbol::none);
    EXPECT_EQ(inputs->front().dimensions[0].size, 2);
  }
}

TEST(ModelInputs, TakeWhatWasGivenInTheModelsOrder) {
  const auto inputs = model_inputs(
      *encoder(), specs({"attention_mask:BxS:int64=1", "input_ids:BxS:int64=3-4"}), "model.xml");
  ASSERT_TRUE(inputs) << base::to_string(inputs.error());
  EXPECT_EQ(inputs->at(0).name, "input_ids");
  EXPECT_EQ(inputs->at(0).low, 3);
}

TEST(ModelInputs, SayWhatTheModelTakes) {
  const base::Error unknown = error(matrix(), {"x:Bx4", "z:Bx4"});
  EXPECT_EQ(unknown.kind, base::ErrorKind::usage);
  EXPECT_THAT(unknown.what, HasSubstr("no input 'z'"));
  EXPECT_THAT(unknown.what, HasSubstr("x float32 [?,4]"));
  EXPECT_THAT(error(encoder(), {"input_ids:BxS:int64"}).what, HasSubstr("'attention_mask'"));
  EXPECT_THAT(error(matrix(), {"x:Bx5"}).what, HasSubstr("do not fit"));
  EXPECT_THAT(error(matrix(), {"x:Bx4x1"}).what, HasSubstr("do not fit"));
  EXPECT_THAT(error(matrix(), {"x:Bx4:int64"}).what, HasSubstr("given as int64"));
}

TEST(ModelInputs, AskWhichDimensionIsTheLength) {
  const auto model = encoder({-1, -1, -1});
  EXPECT_THAT(error(model, {}).what, HasSubstr("several dynamic dimensions"));
  EXPECT_TRUE(model_inputs(*model, specs({"input_ids:BxSx1:int64", "attention_mask:BxSx1:int64"}),
                           "model.xml"));
}

}  // namespace
}  // namespace batchscope::openvino_plugin
