#include "batchscope/trace/recording_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "batchscope/trace/reader.hpp"

namespace batchscope::trace {
namespace {

namespace fs = std::filesystem;

class RecordingTest : public testing::Test {
 protected:
  RecordingTest() {
    std::string made = (fs::temp_directory_path() / "recording-test-XXXXXX").string();
    EXPECT_NE(::mkdtemp(made.data()), nullptr);
    folder_ = made;
  }
  ~RecordingTest() override { fs::remove_all(folder_); }

  // Their names are random, so that what is compressed is long, too.
  static void record(const RecordingFile& recording, int events) {
    std::ofstream out(recording.file());
    std::mt19937_64 random(7);
    out << R"({"traceEvents": [)";
    for (int i = 0; i < events; ++i) {
      out << (i > 0 ? "," : "") << R"({"ph": "X", "cat": "cpu_op", "name": ")" << random()
          << R"(", "pid": 1, "tid": 1, "ts": )" << 10 * i << R"(, "dur": 5})";
    }
    out << "]}";
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

TEST_F(RecordingTest, IsKeptCompressedAndNothingElseStays) {
  const fs::path kept = folder_ / "traces" / "one.json.gz";
  constexpr int kEvents = 100'000;
  {
    const auto recording = RecordingFile::begin(kept);
    ASSERT_TRUE(recording) << base::to_string(recording.error());
    record(*recording, kEvents);
    const auto text = fs::file_size(recording->file());
    ASSERT_TRUE(recording->keep());
    EXPECT_LT(fs::file_size(kept), text / 4);
    EXPECT_GT(fs::file_size(kept), 1 << 20) << "more than is compressed at a time";
  }
  const auto trace = TraceReader().read(kept);
  ASSERT_TRUE(trace) << base::to_string(trace.error());
  EXPECT_EQ(trace->activities.size(), kEvents);
  EXPECT_FALSE(trace->read.truncated);
  EXPECT_EQ(std::distance(fs::directory_iterator(kept.parent_path()), {}), 1);
}

TEST_F(RecordingTest, GoesAgainWhereItIsNotKept) {
  fs::path file;
  {
    const auto recording = RecordingFile::begin(folder_ / "one.json.gz");
    ASSERT_TRUE(recording);
    record(*recording, 1);
    file = recording->file();
    EXPECT_TRUE(fs::exists(file));
  }
  EXPECT_FALSE(fs::exists(file));
  EXPECT_EQ(files(), 0);
  {
    const auto recording = RecordingFile::begin({});
    ASSERT_TRUE(recording);
    file = recording->file();
    EXPECT_NE(file.parent_path().parent_path(), folder_);
  }
  EXPECT_FALSE(fs::exists(file.parent_path()));
}

// A worker that is killed leaves what it has; its parent takes that away.
TEST_F(RecordingTest, IsTakenAwayForOneThatDied) {
  const fs::path kept = folder_ / "one.json.gz";
  fs::create_directories(folder_ / "one.json.gz.recording");
  std::ofstream(folder_ / "one.json.gz.recording" / "recording.json.tmp") << "x";
  std::ofstream(kept) << "x";
  RecordingFile::discard(kept);
  EXPECT_EQ(files(), 0);
}

TEST_F(RecordingTest, SaysThatNothingWasRecorded) {
  const fs::path kept = folder_ / "one.json.gz";
  const auto recording = RecordingFile::begin(kept);
  ASSERT_TRUE(recording);
  EXPECT_FALSE(recording->keep());
  EXPECT_FALSE(fs::exists(kept));
}

TEST_F(RecordingTest, SaysWhereThereIsNoPlace) {
  std::ofstream(folder_ / "file") << "x";
  const auto recording = RecordingFile::begin(folder_ / "file" / "one.json.gz");
  ASSERT_FALSE(recording);
  EXPECT_EQ(recording.error().kind, base::ErrorKind::failed);
}

}  // namespace
}  // namespace batchscope::trace
