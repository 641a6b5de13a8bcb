#include "batchscope/base/file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>

#include "testing/files/temp_folder.hpp"

namespace batchscope::base {
namespace {

using ::testing::HasSubstr;

Result<void> append(const std::filesystem::path& path) {
  auto file = AppendFile::open(path);
  if (!file) return file.error();
  return file->append_line("x");
}

TEST(ReadFile, ReturnsEveryByte) {
  const TempFolder folder;
  std::string content("a\0b\n", 4);
  content += std::string(100'000, 'x');
  ASSERT_TRUE(write_file_atomically(folder / "f", content));
  EXPECT_EQ(*read_file(folder / "f"), content);
}

TEST(ReadFile, RefusesWhatIsNotAFileWithoutHanging) {
  const TempFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(read_file(folder / "pipe").error().what, HasSubstr("pipe"));
  EXPECT_THAT(read_file(folder.path()).error().what, HasSubstr("folder"));
  EXPECT_THAT(read_file("/dev/zero").error().what, HasSubstr("device"));
  const auto absent = read_file(folder / "absent");
  EXPECT_EQ(absent.error().kind, ErrorKind::input);
  EXPECT_EQ(absent.error().where, (folder / "absent").string());
  EXPECT_EQ(absent.error().fix, "check the path");
}

// Some files of /proc have no end.
TEST(ReadFile, TakesNoMoreThanItMay) {
  const TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "f", "four"));
  EXPECT_EQ(*read_file(folder / "f", 4), "four");
  EXPECT_THAT(read_file(folder / "f", 3).error().what, HasSubstr("larger than 3 bytes"));
  EXPECT_THAT(read_file("/proc/self/status", 3).error().what, HasSubstr("larger than 3 bytes"));
}

TEST(WriteAtomically, CreatesFoldersReplacesAndLeavesNothingBehind) {
  const TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "a/b/f", "old"));
  ASSERT_EQ(chmod((folder / "a/b/f").c_str(), 0640), 0);
  ASSERT_TRUE(write_file_atomically(folder / "a/b/f", "new"));
  EXPECT_EQ(*read_file(folder / "a/b/f"), "new");
  struct stat info {};
  ASSERT_EQ(stat((folder / "a/b/f").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0640U);
  const std::filesystem::directory_iterator entries(folder / "a/b");
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

TEST(WriteAtomically, FollowsLinksAndWritesDevicesDirectly) {
  const TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "target", "old"));
  std::filesystem::create_symlink(folder / "target", folder / "link");
  ASSERT_TRUE(write_file_atomically(folder / "link", "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(*read_file(folder / "target"), "new");
  ASSERT_TRUE(write_file_atomically("/dev/null", "gone"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(WriteAtomically, WaitsForNoReaderAndSparesDisks) {
  const TempFolder folder;
  const auto pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto unread = write_file_atomically(pipe, "lost");
  ASSERT_FALSE(unread);
  EXPECT_THAT(unread.error().what, HasSubstr("without a reader"));
  EXPECT_FALSE(unread.error().fix.empty());
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  EXPECT_TRUE(write_file_atomically(pipe, "read"));
  std::array<char, 8> text{};
  EXPECT_EQ(read(reader, text.data(), text.size()), 4);
  close(reader);
}

TEST(WriteAtomically, ANewFileNeverReplacesOneThatCameMeanwhile) {
  const TempFolder folder;
  ASSERT_TRUE(write_new_file_atomically(folder / "a/f", "first"));
  const auto second = write_new_file_atomically(folder / "a/f", "second");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::usage);
  EXPECT_EQ(*read_file(folder / "a/f"), "first");
  const std::filesystem::directory_iterator entries(folder / "a");
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
  EXPECT_TRUE(write_new_file_atomically("/dev/null", "gone"));
}

TEST(WriteAtomically, EveryFailureSaysHowToMendIt) {
  const TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "f", "x"));
  const std::string long_name(300, 'x');
  for (const auto& path : {folder.path(), folder / "f/under", folder / long_name,
                           std::filesystem::path("/dev/full"), std::filesystem::path("/proc/no")}) {
    for (const auto& written : {write_file_atomically(path, "x"), append(path)}) {
      ASSERT_FALSE(written) << path;
      EXPECT_FALSE(written.error().fix.empty()) << to_string(written.error());
    }
  }
}

TEST(WriteAtomically, SaysWhyItFailed) {
  const TempFolder folder;
  const auto onto_folder = write_file_atomically(folder.path(), "x");
  ASSERT_FALSE(onto_folder);
  EXPECT_EQ(onto_folder.error().kind, ErrorKind::failed);
  EXPECT_EQ(onto_folder.error().fix, "give the name of a file, not of a folder");
  ASSERT_TRUE(write_file_atomically(folder / "f", "x"));
  EXPECT_FALSE(write_file_atomically(folder / "f/under", "x"));
  EXPECT_FALSE(write_file_atomically("/proc/batchscope/f", "x"));
}

TEST(AppendFile, AddsLinesAndResumesAfterACut) {
  const TempFolder folder;
  {
    auto file = AppendFile::open(folder / "sub/log");
    ASSERT_TRUE(file) << to_string(file.error());
    ASSERT_TRUE(file->append_line("one"));
    ASSERT_TRUE(file->append_line("two"));
  }
  auto file = AppendFile::open(folder / "sub/log", 4);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append_line("three"));
  EXPECT_EQ(*read_file(folder / "sub/log"), "one\nthree\n");
}

TEST(AppendFile, RefusesASecondWriterAndOddTargets) {
  const TempFolder folder;
  auto first = AppendFile::open(folder / "log");
  ASSERT_TRUE(first);
  EXPECT_THAT(AppendFile::open(folder / "log").error().what, HasSubstr("another run"));
  EXPECT_FALSE(AppendFile::open(folder.path()));
  EXPECT_FALSE(AppendFile::open("/dev/null"));
  EXPECT_FALSE(AppendFile::open(folder / "short", 10));
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(AppendFile::open(folder / "pipe"));
}

// A file size limit stands in for a full disk: the write stops half way.
TEST(AppendFile, CutsOffAHalfWrittenLine) {
  const TempFolder folder;
  auto file = AppendFile::open(folder / "log");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append_line("whole"));
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit small{10, old.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto result = file->append_line("does not fit");
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  EXPECT_FALSE(result);
  EXPECT_EQ(*read_file(folder / "log"), "whole\n");
  EXPECT_TRUE(file->append_line("fits"));
  EXPECT_EQ(*read_file(folder / "log"), "whole\nfits\n");
  (void)std::signal(SIGXFSZ, handler);
}

}  // namespace
}  // namespace batchscope::base
