#include "batchscope/pipeline/text_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "batchscope/base/file.hpp"

namespace batchscope::pipeline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class TextFile : public testing::Test {
 protected:
  base::Result<std::vector<std::string>> read(const std::string& content) {
    const auto path = std::filesystem::path(testing::TempDir()) / "texts.txt";
    EXPECT_TRUE(base::write_file_atomically(path, content));
    return read_texts(path);
  }
};

TEST_F(TextFile, HasATextALine) {
  EXPECT_THAT(*read("one\r\n\ntwo words\nlast"), ElementsAre("one", "", "two words", "last"));
  EXPECT_THAT(*read("κόσμε 🙂\n"), ElementsAre("κόσμε 🙂"));
}

TEST_F(TextFile, WithoutTextsIsRefused) {
  const auto texts = read("");
  ASSERT_FALSE(texts);
  EXPECT_EQ(texts.error().kind, base::ErrorKind::input);
}

TEST_F(TextFile, NamesTheLineThatIsNotUtf8) {
  const auto texts = read("fine\nna\xEFve\n");
  ASSERT_FALSE(texts);
  EXPECT_EQ(texts.error().kind, base::ErrorKind::input);
  EXPECT_THAT(texts.error().where, HasSubstr("texts.txt:2"));
  EXPECT_THAT(texts.error().what, HasSubstr("byte 3"));
}

TEST(Utf8, IsFoundWhereItEnds) {
  EXPECT_EQ(find_invalid_utf8("a\x80"), 1U);
  for (const char* bad : {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF5",
                          "\xE2\x82", "\xF0\x8F\xBF\xBF", "\xC3"}) {
    EXPECT_EQ(find_invalid_utf8(bad), 0U) << bad;
  }
  for (const char* good : {"", "\x7F", "\xC2\x80", "\xE0\xA0\x80", "\xEF\xBF\xBF", "\xED\x9F\xBF",
                           "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(find_invalid_utf8(good), std::string_view::npos) << good;
  }
}

}  // namespace
}  // namespace batchscope::pipeline
