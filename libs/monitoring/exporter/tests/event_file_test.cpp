#include "batchscope/exporter/event_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

#include "tensorboard/record.hpp"

namespace batchscope::exporter {
namespace {

constexpr int64_t kTime = 1'700'000'000'500'000'000;

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The data of all records; fails where one is not whole.
std::vector<std::string> records_in(std::string_view content) {
  std::vector<std::string> all;
  while (!content.empty()) {
    uint64_t size = 0;
    for (std::size_t i = 8; i-- > 0;) {
      size = size << 8 | static_cast<unsigned char>(content.at(i));
    }
    const std::string data(content.substr(12, size));
    const std::string record = record_of(data);
    EXPECT_EQ(content.substr(0, record.size()), record);
    all.push_back(data);
    content.remove_prefix(std::min(content.size(), record.size()));
  }
  return all;
}

class EventFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("event_files_" + std::to_string(getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(EventFiles, HaveANameThatTensorBoardSearchesFor) {
  auto file = EventFile::create(folder_ / "deep", ".a/b\n", kTime);
  ASSERT_TRUE(file) << to_string(file.error());
  const std::string name = file->path().filename();
  EXPECT_THAT(name, testing::StartsWith("events.out.tfevents.1700000000."));
  EXPECT_THAT(name, testing::EndsWith("." + std::to_string(getpid()) + ".0.a_b_"));
  EXPECT_THAT(records_in(content_of(file->path())),
              testing::ElementsAre(testing::HasSubstr("brain.Event:2")));
}

TEST_F(EventFiles, AreNeverWrittenIntoByTwo) {
  const auto first = EventFile::create(folder_, "", kTime);
  const auto second = EventFile::create(folder_, "", kTime);
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->path(), second->path());
}

TEST_F(EventFiles, HoldARecordACall) {
  auto file = EventFile::create(folder_, "", kTime);
  ASSERT_TRUE(file);
  const std::vector<Scalar> scalars = {
      {"loss", 0.25}, {"not \xff utf-8", std::numeric_limits<double>::quiet_NaN()}};
  ASSERT_TRUE(file->add_scalars(7, kTime, scalars));
  ASSERT_TRUE(file->add_scalars(8, kTime, {}));
  const auto records = records_in(content_of(file->path()));
  ASSERT_EQ(records.size(), 2u);
  EXPECT_THAT(records[1], testing::HasSubstr("loss"));
  EXPECT_THAT(records[1], testing::HasSubstr("not \\xff utf-8"));
}

TEST_F(EventFiles, StayReadableWhenTheDiskIsFull) {
  auto file = EventFile::create(folder_, "", kTime);
  ASSERT_TRUE(file);
  const std::vector<Scalar> scalars = {{std::string(200, 'x'), 1}};
  ASSERT_TRUE(file->add_scalars(1, kTime, scalars));
  const auto before = content_of(file->path());

  // The system takes the first 50 bytes of the next record, and no more.
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = old;
  small.rlim_cur = before.size() + 50;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto full = file->add_scalars(2, kTime, scalars);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  std::signal(SIGXFSZ, old_handler);

  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().kind, base::ErrorKind::failed);
  EXPECT_EQ(content_of(file->path()), before);
  ASSERT_TRUE(file->add_scalars(3, kTime, scalars));
  EXPECT_EQ(records_in(content_of(file->path())).size(), 3u);
}

TEST_F(EventFiles, SayWhereTheyCannotBe) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "file") << "x";
  const auto file = EventFile::create(folder_ / "file", "", kTime);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().where, (folder_ / "file").string());
}

}  // namespace
}  // namespace batchscope::exporter
