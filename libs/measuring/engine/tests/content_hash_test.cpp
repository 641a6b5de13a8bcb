#include "batchscope/engine/content_hash.hpp"

#include <gtest/gtest.h>

#include "testing/files/scratch_folder.hpp"

namespace batchscope::engine {
namespace {

TEST(ContentHash, IsWhatItsDefinitionSays) {
  // FNV-1a's own result for no bytes at all, then one step with the length 0.
  EXPECT_EQ(content_hash(""), "fnv1a64:af63bd4c8601b7df");
}

TEST(ContentHash, TellsContentsApart) {
  EXPECT_EQ(content_hash("model"), content_hash("model"));
  EXPECT_NE(content_hash("model"), content_hash("modem"));
  EXPECT_NE(content_hash("model"), content_hash(std::string("model\0", 6)));
  EXPECT_NE(content_hash("01234567a"), content_hash("01234567b"));
}

TEST(FileHash, EqualsTheHashOfTheContent) {
  const ScratchFolder folder;
  const std::string content((size_t{3} << 20) + 13, 'q');
  const auto hash = file_hash(folder.write("big", content));
  ASSERT_TRUE(hash);
  EXPECT_EQ(*hash, content_hash(content));
}

TEST(FileHash, SaysThatAFileCannotBeRead) {
  const auto hash = file_hash("/nowhere/model.pt");
  ASSERT_FALSE(hash);
  EXPECT_EQ(hash.error().kind, base::ErrorKind::input);
}

}  // namespace
}  // namespace batchscope::engine
