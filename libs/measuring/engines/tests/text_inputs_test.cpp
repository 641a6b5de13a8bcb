#include "texts/text_inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_engine.hpp"

namespace batchscope::engines {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<engine::InputSpec> specs(const std::vector<std::string>& texts) {
  std::vector<engine::InputSpec> all;
  for (const std::string& text : texts) all.push_back(*engine::parse_input_spec(text));
  return all;
}

TEST(TextInputs, AreFilledByTheirNames) {
  const auto wanted =
      specs({"attention_mask:BxS:int64", "input_ids:BxS:int64", "token_type_ids:BxS:int64"});
  const auto inputs = TextInputs::of(wanted, "model.pt");
  ASSERT_TRUE(inputs);
  const std::vector<std::vector<int32_t>> rows{{9}, {1, 2, 3}, {4, 5}};
  const auto tensors = inputs->make(rows, {1, 2, 4}, 7);
  ASSERT_EQ(tensors.size(), 3U);
  EXPECT_EQ(tensors[0].name, "attention_mask");
  EXPECT_THAT(tensors[1].dimensions, ElementsAre(2, 4));
  EXPECT_THAT(values(tensors[0]), ElementsAre(1, 1, 1, 0, 1, 1, 0, 0));
  EXPECT_THAT(values(tensors[1]), ElementsAre(1, 2, 3, 7, 4, 5, 7, 7));
  EXPECT_THAT(values(tensors[2]), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0));
}

TEST(TextInputs, AreNarrowWhereTheModelIs) {
  const auto inputs = TextInputs::of(specs({"ids:BxS:int32"}), "model.pt");
  ASSERT_TRUE(inputs);
  const std::vector<std::vector<int32_t>> rows{{5}};
  const auto tensors = inputs->make(rows, {0, 1, 2}, 7);
  EXPECT_EQ(tensors[0].dtype, engine::DType::int32);
  EXPECT_EQ(tensors[0].data.size(), 8U);
}

TEST(TextInputs, OfAModelThatDoesNotTellAreTheUsualOnes) {
  const auto inputs = TextInputs::of({}, "model.pt");
  ASSERT_TRUE(inputs);
  const std::vector<std::vector<int32_t>> rows{{5}};
  const auto tensors = inputs->make(rows, {0, 1, 1}, 7);
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(tensors[0].name, "input_ids");
  EXPECT_EQ(tensors[1].name, "attention_mask");
}

TEST(TextInputs, RefuseWhatTextsDoNotGive) {
  for (const auto& [text, word] : {std::pair{"pixels:BxS:int64", "'pixels'"},
                                   {"input_ids:BxS", "float32"},
                                   {"input_ids:BxSx2:int64", "any batch"},
                                   {"attention_mask:BxS:int64", "0 inputs for tokens"}}) {
    const auto inputs = TextInputs::of(specs({text}), "model.pt");
    ASSERT_FALSE(inputs) << text;
    EXPECT_EQ(inputs.error().kind, base::ErrorKind::usage);
    EXPECT_THAT(inputs.error().what, HasSubstr(word));
  }
}

}  // namespace
}  // namespace batchscope::engines
