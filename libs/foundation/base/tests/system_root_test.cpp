#include "batchscope/base/system_root.hpp"

#include <gmock/gmock.h>

#include "batchscope/base/file.hpp"
#include "testing/files/temp_folder.hpp"

namespace batchscope::base {
namespace {

TEST(SystemRoot, ReadsBelowTheGivenFolder) {
  const TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "sys/class/x/value", "performance\n"));
  ASSERT_TRUE(write_file_atomically(folder / "sys/class/a", ""));
  const SystemRoot root(folder.path());
  EXPECT_EQ(root.resolve("/sys/class"), folder.path() / "sys/class");
  EXPECT_EQ(*root.read("/sys/class/x/value"), "performance\n");
  EXPECT_EQ(root.read_trimmed("/sys/class/x/value"), "performance");
  EXPECT_EQ(root.read_trimmed("/sys/none"), "");
  EXPECT_FALSE(root.read("/sys/none"));
  EXPECT_TRUE(root.exists("/sys/class/x"));
  EXPECT_FALSE(root.exists("/proc"));
  EXPECT_THAT(root.list("/sys/class"), testing::ElementsAre("a", "x"));
  EXPECT_THAT(root.list("/none"), testing::IsEmpty());
}

TEST(SystemRoot, WritesIntoWhatIsThere) {
  const TempFolder folder;
  const SystemRoot root(folder.path());
  EXPECT_FALSE(root.write("/proc/self/clear_refs", "5"));
  ASSERT_TRUE(write_file_atomically(folder / "value", "1"));
  EXPECT_TRUE(root.write("/value", "5"));
  EXPECT_EQ(root.read_trimmed("/value"), "5");
}

TEST(SystemRoot, ReadsTheRealProc) {
  const auto text = SystemRoot().read("/proc/self/status");
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, testing::HasSubstr("VmRSS"));
}

}  // namespace
}  // namespace batchscope::base
