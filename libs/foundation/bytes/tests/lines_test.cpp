#include "batchscope/bytes/lines.hpp"

#include <gtest/gtest.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "batchscope/bytes/byte_source.hpp"
#include "batchscope/bytes/compress.hpp"

namespace batchscope::bytes {
namespace {

std::string by_gzip(const std::string& text) {
  return gzipped(*bytes_of(text));
}

std::string by_zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
  return packed;
}

class Lines : public testing::Test {
 protected:
  ~Lines() override { std::filesystem::remove(file_); }

  // A '!' stands for an error.
  std::string shown(const std::string& content) const {
    std::ofstream(file_, std::ios::binary) << content;
    auto reader = lines_of(file_);
    EXPECT_TRUE(reader);
    std::string text;
    for (;;) {
      const auto line = reader->next();
      if (!line) return text + "!" + line.error().what;
      if (!*line) return text;
      text.append((*line)->text).append((*line)->full ? "|" : "~");
    }
  }

  std::filesystem::path file_ = std::filesystem::path(testing::TempDir()) / "lines_of_a_file";
};

TEST_F(Lines, AreThoseOfTheFileWithoutItsCompression) {
  const std::string text = "a\n\nb\nc";
  for (const std::string& content : {text, by_gzip(text), by_zstd(text)}) {
    EXPECT_EQ(shown(content), "a||b|c~");
    EXPECT_EQ(head_of(file_, 3), "a\n\n");
    EXPECT_EQ(is_compressed(content), content != text);
  }
  EXPECT_EQ(shown(""), "");
}

TEST_F(Lines, EndWithAnErrorWhereTheDataAreDamaged) {
  const std::string packed = by_gzip("a\nb\n");
  EXPECT_TRUE(shown(packed.substr(0, packed.size() - 6)).ends_with("the gzip data is truncated"));
}

TEST_F(Lines, AreNotHeldWhereOneIsLongerThanAnyIs) {
  EXPECT_TRUE(shown(by_gzip(std::string(300 << 20, ' '))).starts_with("!has a line"));
}

TEST_F(Lines, AFileThatCannotBeReadHasNone) {
  EXPECT_FALSE(lines_of(file_));
  EXPECT_FALSE(lines_of("/"));
  EXPECT_EQ(head_of(file_, 3), "");
  EXPECT_EQ(head_of("/", 3), "");
}

}  // namespace
}  // namespace batchscope::bytes
