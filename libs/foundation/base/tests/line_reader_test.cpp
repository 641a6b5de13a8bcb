#include "batchscope/base/line_reader.hpp"

#include <gtest/gtest.h>

#include "batchscope/base/file.hpp"
#include "testing/files/temp_folder.hpp"

namespace batchscope::base {
namespace {

std::string shown(const std::string& content) {
  const TempFolder folder;
  EXPECT_TRUE(write_file_atomically(folder / "f", content));
  auto reader = LineReader::open(folder / "f");
  EXPECT_EQ(reader->size(), static_cast<int64_t>(content.size()));
  std::string text;
  for (auto line = reader->next(); line && *line; line = reader->next()) {
    text.append((*line)->text).append((*line)->full ? "|" : "~");
  }
  return text;
}

TEST(LineReader, HandsOutEveryLineAndMarksATornOne) {
  EXPECT_EQ(shown(""), "");
  EXPECT_EQ(shown("a\n\nb\n"), "a||b|");
  EXPECT_EQ(shown("a\nb"), "a|b~");
  EXPECT_EQ(shown("\n"), "|");
}

TEST(LineReader, LinesMayBeLongerThanABlock) {
  const std::string large(1'000'000, 'x');
  std::string content = "a\n";
  content.append(large).append("\nb\n").append(large);
  std::string expected = "a|";
  expected.append(large).append("|b|").append(large).append("~");
  EXPECT_EQ(shown(content), expected);
}

TEST(LineReader, RefusesFolders) {
  EXPECT_FALSE(LineReader::open("/"));
}

}  // namespace
}  // namespace batchscope::base
