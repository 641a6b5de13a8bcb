#include "tokenizer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "batchscope/engine/model_store.hpp"
#include "fixture_models.hpp"
#include "testing/files/scratch_folder.hpp"

namespace batchscope::openvino_plugin {
namespace {

using base::ErrorKind;
using testing::ElementsAre;
using testing::HasSubstr;
using Texts = std::vector<std::string_view>;

TEST(SplitByBytes, PartsAreConsecutiveAndNoneIsEmpty) {
  const std::string longer(1000, 'x');
  const std::vector<Texts> rows{{},
                                {""},
                                {"a", "b", "c"},
                                {longer, "a", "b", "c"},
                                {"a", "b", "c", longer},
                                {"", "", "", "", "", "", ""},
                                {longer, longer, longer, longer, longer}};
  for (const Texts& texts : rows) {
    for (const int parts : {1, 2, 3, 8}) {
      const auto split = split_by_bytes(texts, parts);
      EXPECT_LE(split.size(), static_cast<std::size_t>(parts));
      std::size_t next = 0;
      for (const auto& [first, last] : split) {
        EXPECT_EQ(first, next);
        EXPECT_LT(first, last);
        next = last;
      }
      EXPECT_EQ(next, texts.size());
    }
  }
}

TEST(SplitByBytes, OneLongTextIsAPartOfItsOwn) {
  const std::string longer(1000, 'x');
  EXPECT_THAT(split_by_bytes(Texts{longer, "a", "b"}, 2),
              ElementsAre(std::pair(0u, 1u), std::pair(1u, 3u)));
  EXPECT_EQ(split_by_bytes(Texts(100, "some text"), 4).size(), 4u);
}

base::Error error_of(const engine::TokenizerSpec& spec) {
  const auto loaded = openvino_plugin::load_tokenizer(spec);
  EXPECT_FALSE(loaded);
  return loaded ? base::Error{} : loaded.error();
}

TEST(TokenizerLibrary, AbsentSaysHowToGetIt) {
  setenv("BATCHSCOPE_OPENVINO_TOKENIZERS", "/absent/library.so", 1);
  const base::Error error = error_of({"tokenizer.xml"});
  unsetenv("BATCHSCOPE_OPENVINO_TOKENIZERS");
  EXPECT_EQ(error.kind, ErrorKind::failed);
  EXPECT_THAT(error.where, HasSubstr("/absent/library.so"));
  EXPECT_THAT(error.fix, HasSubstr("./dev models"));
}

class Tokenizer : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto library = find_tokenizers_library(); !library) {
      GTEST_SKIP() << base::to_string(library.error());
    }
  }
};

TEST_F(Tokenizer, RefusesWhatIsNone) {
  const ScratchFolder folder;
  EXPECT_EQ(error_of({folder.file("absent.xml")}).kind, ErrorKind::input);
  EXPECT_EQ(error_of({folder.write("text.xml", "no XML")}).kind, ErrorKind::input);
  EXPECT_EQ(error_of({folder.file("absent.xml"), 0}).kind, ErrorKind::usage);
  save(encoder(), folder.file("encoder.xml"));
  const base::Error error = error_of({folder.file("encoder.xml")});
  EXPECT_EQ(error.kind, ErrorKind::input);
  EXPECT_THAT(error.what, HasSubstr("is not a tokenizer"));
  EXPECT_THAT(error.fix, HasSubstr("convert_tokenizer.py"));
}

// Enough for a thread of its own.
constexpr const char* kLong =
    "a text that is much longer than the empty ones beside it, so that one thread gets it alone";

// Where ./dev models puts what it exports.
engine::InstallPaths places_of_models() {
  const char* const chosen = std::getenv("BATCHSCOPE_MODELS");
  return {{}, {chosen != nullptr ? chosen : STORED_MODELS}};
}

// With the tokenizer that ./dev models exports.
class ExportedTokenizer : public Tokenizer {
 protected:
  void SetUp() override {
    Tokenizer::SetUp();
    if (IsSkipped()) return;
    const auto stored = engine::find_stored_model("all-minilm-l6-v2", places_of_models());
    if (!stored || !*stored) GTEST_SKIP() << "no model here: ./dev models makes it";
    spec_.path = (*stored)->tokenizer().string();
  }
  std::unique_ptr<engine::Tokenizer> load(int threads = 1, int64_t max_length = 0) {
    auto loaded = openvino_plugin::load_tokenizer({spec_.path, threads, max_length});
    EXPECT_TRUE(loaded) << (loaded ? "" : base::to_string(loaded.error()));
    return loaded ? *std::move(loaded) : nullptr;
  }
  std::vector<std::vector<int32_t>> ids(engine::Tokenizer& tokenizer, const Texts& texts) {
    auto rows = tokenizer.tokenize(texts);
    EXPECT_TRUE(rows) << (rows ? "" : base::to_string(rows.error()));
    return rows ? *rows : std::vector<std::vector<int32_t>>{};
  }
  engine::TokenizerSpec spec_;
};

TEST_F(ExportedTokenizer, SaysItsFacts) {
  const auto facts = load()->facts();
  EXPECT_EQ(facts.vocabulary, 30522);
  EXPECT_EQ(facts.max_length, 256);
  EXPECT_EQ(facts.pad_id, 0);
  EXPECT_EQ(facts.special_tokens, 2);
}

TEST_F(ExportedTokenizer, GivesIdsWithoutPadding) {
  EXPECT_THAT(ids(*load(), {"hello world", "", "Hello, WORLD!"}),
              ElementsAre(ElementsAre(101, 7592, 2088, 102), ElementsAre(101, 102),
                          ElementsAre(101, 7592, 1010, 2088, 999, 102)));
  EXPECT_TRUE(ids(*load(), {}).empty());
}

// OpenVINO gives one row for any number of texts without a token of their own.
TEST_F(ExportedTokenizer, TextsWithoutTokensHaveRowsToo) {
  const auto empty = ElementsAre(101, 102);
  EXPECT_THAT(ids(*load(), {"", "", ""}), ElementsAre(empty, empty, empty));
  EXPECT_THAT(ids(*load(), {"\xE2\x80\x8B", "\xE2\x80\x8B"}), ElementsAre(empty, empty));
  const auto rows = ids(*load(2), {std::string_view(kLong), "", "", ""});
  ASSERT_EQ(rows.size(), 4u);
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_THAT(rows[i], empty) << i;
}

TEST_F(ExportedTokenizer, CutsLongTexts) {
  std::string megabyte;
  while (megabyte.size() < (1u << 20U)) megabyte += "word ";
  const auto cut = ids(*load(), {megabyte, "word"});
  ASSERT_EQ(cut.size(), 2u);
  EXPECT_EQ(cut[0].size(), 256u);
  EXPECT_EQ(cut[0].back(), 102);
  EXPECT_THAT(cut[1], ElementsAre(101, 2773, 102));
  EXPECT_EQ(ids(*load(1, 512), {megabyte})[0].size(), 512u);
  EXPECT_THAT(ids(*load(1, 4), {megabyte})[0], ElementsAre(101, 2773, 2773, 102));
}

TEST_F(ExportedTokenizer, RefusesALengthWithoutRoomForText) {
  EXPECT_EQ(error_of({spec_.path, 1, 2}).kind, ErrorKind::usage);
}

TEST_F(ExportedTokenizer, NamesATextThatIsNotUtf8) {
  const auto rows = load()->tokenize(Texts{"good", "b\xE4"});
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().kind, ErrorKind::input);
  EXPECT_EQ(rows.error().where, "text 2");
}

TEST_F(ExportedTokenizer, ThreadsShareTheTextsAndChangeNothing) {
  std::vector<std::string> made;
  for (int i = 0; i < 100; ++i) {
    made.push_back("text number " + std::to_string(i) +
                   std::string(static_cast<std::size_t>(i % 7 * 30), 'x') + " größer");
  }
  const Texts texts(made.begin(), made.end());
  const auto one = load(1), three = load(3);
  const auto expected = ids(*one, texts);
  for (int round = 0; round < 3; ++round) EXPECT_EQ(ids(*three, texts), expected);
  EXPECT_EQ(ids(*three, {texts[0]})[0], expected[0]);
}

}  // namespace
}  // namespace batchscope::openvino_plugin
