#include "batchscope/loading/sample_decoder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace batchscope::loading {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<engine::InputSpec> specs(std::initializer_list<const char*> texts) {
  std::vector<engine::InputSpec> inputs;
  for (const char* text : texts) inputs.push_back(*engine::parse_input_spec(text));
  return inputs;
}

SampleDecoder decoder(std::initializer_list<const char*> inputs, bool bool_masks = false) {
  auto made = SampleDecoder::make(specs(inputs), std::nullopt, 5, bool_masks);
  EXPECT_TRUE(made) << base::to_string(made.error());
  return *std::move(made);
}

std::array<int64_t, 5> words_of(const char* text, std::array<int64_t, 5>* mask = nullptr) {
  std::array<int64_t, 5> ids{}, ones{};
  const std::vector<SampleRow> rows{{nullptr, ids.data(), nullptr},
                                    {nullptr, ones.data(), nullptr}};
  EXPECT_TRUE(decoder({"input_ids:BxS:int64=0-999", "attention_mask:BxS:int64=1"})
                  .decode("a.txt", text, 0, rows));
  if (mask != nullptr) *mask = ones;
  return ids;
}

TEST(SampleDecoder, MakesIdsOfWords) {
  std::array<int64_t, 5> mask{};
  const auto ids = words_of("The cat; the CAT", &mask);
  EXPECT_EQ(ids[0], ids[2]);
  EXPECT_EQ(ids[1], ids[3]);
  EXPECT_NE(ids[0], ids[1]);
  EXPECT_EQ(ids[4], 0);
  EXPECT_THAT(mask, ElementsAre(1, 1, 1, 1, 0));
  for (const int64_t id : ids) EXPECT_TRUE(id >= 0 && id <= 999);
}

TEST(SampleDecoder, CutsTextsAtTheLength) {
  std::array<int64_t, 5> mask{};
  const auto all = words_of("a b c d e f g h", &mask);
  EXPECT_EQ(all, words_of("a b c d e"));
  EXPECT_THAT(mask, Each(1));
}

TEST(SampleDecoder, FillsMasksAsTheModelWantsThem) {
  std::array<int64_t, 5> ids{};
  std::array<bool, 5> mask{};
  const auto made = decoder({"input_ids:BxS:int64=0-999", "attention_mask:BxS:int64=1"}, true);
  EXPECT_EQ(made.fields()[1].dtype, engine::DType::boolean);
  ASSERT_TRUE(made.decode(
      "a.txt", "one two", 0,
      std::vector<SampleRow>{{nullptr, ids.data(), nullptr}, {nullptr, nullptr, mask.data()}}));
  EXPECT_THAT(mask, ElementsAre(true, true, false, false, false));
}

// One red pixel beside a black one, doubled: the middle is between them.
TEST(SampleDecoder, ResizesAndNormalisesImages) {
  const std::string image =
      std::string("P6\n# made by hand\n2 1\n255\n") + "\xFF" + std::string(5, '\0');
  std::array<float, 12> out{};
  const auto made = decoder({"x:Bx3x1x4"});
  ASSERT_TRUE(
      made.decode("a.ppm", image, 0, std::vector<SampleRow>{{out.data(), nullptr, nullptr}}));
  const auto red = [](float v) { return (v - 0.485F) / 0.229F; };
  EXPECT_NEAR(out[0], red(1), 1e-5);
  EXPECT_NEAR(out[1], red(0.75), 1e-5);
  EXPECT_NEAR(out[2], red(0.25), 1e-5);
  EXPECT_NEAR(out[3], red(0), 1e-5);
  EXPECT_NEAR(out[4], -0.456 / 0.224, 1e-5);
  EXPECT_NEAR(out[11], -0.406 / 0.225, 1e-5);
}

TEST(SampleDecoder, RefusesHalfAnImage) {
  std::array<float, 12> out{};
  const std::vector<SampleRow> rows{{out.data(), nullptr, nullptr}};
  const auto made = decoder({"x:Bx3x1x4"});
  for (const char* content : {"P5\n2 1\n255\n......", "P6\n2 1\n255\n...", "P6\n2 1\n65535\n......",
                              "P6\n0 1\n255\n", "P6", "P6 99999999999999999999 1 255 "}) {
    const auto done = made.decode("a.ppm", content, 0, rows);
    ASSERT_FALSE(done) << content;
    EXPECT_EQ(done.error().kind, base::ErrorKind::input);
    EXPECT_EQ(done.error().where, "a.ppm");
  }
  EXPECT_THAT(made.decode("a.bin", "", 0, rows).error().what, HasSubstr("empty"));
}

TEST(SampleDecoder, TakesWhateverElseByItsBytes) {
  std::array<float, 4> out{};
  ASSERT_TRUE(decoder({"x:Bx4"}).decode("a.bin", std::string("\0\xFF", 2), 0,
                                        std::vector<SampleRow>{{out.data(), nullptr, nullptr}}));
  EXPECT_THAT(out, ElementsAre(0, 1, 0, 1));
}

TEST(SampleDecoder, MakesClassesOfLabels) {
  int64_t target = -1;
  std::array<float, 4> out{};
  auto made = SampleDecoder::make(specs({"x:Bx4"}), specs({"y:B:int64=0-9"}).front(), {}, false);
  ASSERT_TRUE(made);
  ASSERT_TRUE(made->decode(
      "a.bin", "abcd", 13,
      std::vector<SampleRow>{{out.data(), nullptr, nullptr}, {nullptr, &target, nullptr}}));
  EXPECT_EQ(target, 3);
}

TEST(SampleDecoder, HashesIntoTheLargestRangeOfIntegers) {
  auto inputs = specs({"ids:BxS:int64=0-9"});
  inputs.front().low = std::numeric_limits<int64_t>::min();
  inputs.front().high = std::numeric_limits<int64_t>::max();
  const auto made = SampleDecoder::make(inputs, std::nullopt, 5, false);
  ASSERT_TRUE(made);
  std::array<int64_t, 5> ids{};
  ASSERT_TRUE(made->decode("a.txt", "one two three four five", 0,
                           std::vector<SampleRow>{{nullptr, ids.data(), nullptr}}));
  EXPECT_NE(ids[0], ids[1]);
}

TEST(SampleDecoder, RefusesInputsItCannotFill) {
  for (const char* input : {"x:4xB", "x:Bx4:float16", "x:BxB"}) {
    const auto made = SampleDecoder::make(specs({input}), std::nullopt, 5, false);
    ASSERT_FALSE(made) << input;
    EXPECT_THAT(made.error().fix, HasSubstr("remove --loader"));
  }
  EXPECT_FALSE(SampleDecoder::make(specs({"x:BxS:int64=0-9"}), std::nullopt, {}, false));
}

}  // namespace
}  // namespace batchscope::loading
