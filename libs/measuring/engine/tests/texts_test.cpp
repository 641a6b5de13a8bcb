#include "batchscope/engine/texts.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace batchscope::engine {
namespace {

class Texts : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  base::Result<std::vector<std::string>> read(std::string_view content) const {
    std::ofstream(path_, std::ios::binary) << content;
    return read_texts(path_);
  }
  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                ("batchscope-texts-" + std::to_string(getpid()) + ".txt");
};

TEST_F(Texts, AreTheLines) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(*read("one\ntwo\n"), (Lines{"one", "two"}));
  EXPECT_EQ(*read("one\ntwo"), (Lines{"one", "two"}));
  EXPECT_EQ(*read("one\r\n\n größer \n"), (Lines{"one", "", " größer "}));
  EXPECT_EQ(*read("\n"), Lines{""});
}

TEST_F(Texts, OneThatIsNotUtf8IsNamedByItsLine) {
  const auto texts = read("one\ntwo\nth\xE9\n");
  ASSERT_FALSE(texts);
  EXPECT_EQ(texts.error().kind, base::ErrorKind::input);
  EXPECT_EQ(texts.error().where, path_.string() + ":3");
  EXPECT_EQ(texts.error().what, "byte 3 is not UTF-8");
}

TEST_F(Texts, NoneAndNoFileAreWrong) {
  EXPECT_EQ(read("").error().kind, base::ErrorKind::input);
  EXPECT_EQ(read_texts("/absent/texts.txt").error().kind, base::ErrorKind::input);
}

}  // namespace
}  // namespace batchscope::engine
