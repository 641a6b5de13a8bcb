#include "batchscope/engines/check_texts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_engine.hpp"

namespace batchscope::engines {
namespace {

using base::ErrorKind;
using testing::HasSubstr;

// The fake tokenizer has 200 tokens, gives each text 2 of its own, and cuts at 64.
base::Result<std::unique_ptr<engine::Tokenizer>> words(const engine::TokenizerSpec&) {
  return std::unique_ptr<engine::Tokenizer>(std::make_unique<WordTokenizer>());
}

class CheckTexts : public testing::Test {
 protected:
  CheckTexts() {
    config_.shape = {1, 10};
    config_.pipeline = schema::TextPipeline{.tokenizer = "t.xml"};
    know(200);
  }
  void know(int tokens) {
    inputs_ = {*engine::parse_input_spec("input_ids:BxS:int64=0-" + std::to_string(tokens - 1)),
               *engine::parse_input_spec("attention_mask:BxS:int64=1")};
  }
  base::Result<void> check() const { return check_texts(config_, inputs_, "model.xml", words); }

  schema::RunConfig config_;
  std::vector<engine::InputSpec> inputs_;
};

TEST_F(CheckTexts, PassesWhatFits) {
  EXPECT_TRUE(check());
  config_.pipeline.reset();
  inputs_.clear();
  EXPECT_TRUE(check());
}

TEST_F(CheckTexts, RefusesATokenizerThatKnowsMoreThanTheModel) {
  know(199);
  const auto checked = check();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().kind, ErrorKind::input);
  EXPECT_EQ(checked.error().where, "t.xml");
  EXPECT_THAT(checked.error().what, HasSubstr("has 200 tokens, but the model only 199"));
}

TEST_F(CheckTexts, RefusesInputsThatTextsDoNotGive) {
  inputs_ = {*engine::parse_input_spec("pixels:Bx3x224x224")};
  const auto checked = check();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().kind, ErrorKind::usage);
  EXPECT_THAT(checked.error().what, HasSubstr("pixels"));
}

TEST_F(CheckTexts, RefusesLengthsThatNoTextHas) {
  for (const int64_t length : {1, 65}) {
    config_.shape.seq_len = length;
    const auto checked = check();
    ASSERT_FALSE(checked) << length;
    EXPECT_EQ(checked.error().kind, ErrorKind::usage);
  }
  config_.shape.seq_len.reset();
  config_.shape.lengths = {5, 65};
  EXPECT_FALSE(check());
  config_.pipeline->texts = "texts.txt";  // cut, as its makers do
  EXPECT_TRUE(check());
}

TEST_F(CheckTexts, RefusesTraining) {
  config_.mode = schema::Mode::train;
  EXPECT_FALSE(check());
}

}  // namespace
}  // namespace batchscope::engines
