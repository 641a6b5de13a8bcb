#include "batchscope/loading/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <numeric>
#include <set>

#include "batchscope/loading/sample_order.hpp"
#include "testing/files/scratch_folder.hpp"

namespace batchscope::loading {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Temporary folders are made here while it lives.
class Temporary {
 public:
  Temporary() { setenv("TMPDIR", folder_.file("").c_str(), 1); }
  ~Temporary() { unsetenv("TMPDIR"); }
  std::size_t folders() const {
    const std::filesystem::directory_iterator at(folder_.file(""));
    return static_cast<std::size_t>(std::distance(begin(at), end(at)));
  }

 private:
  ScratchFolder folder_;
};

std::vector<engine::InputSpec> inputs(const char* text) {
  return {*engine::parse_input_spec(text)};
}

std::unique_ptr<SampleFiles> made_up(const char* source, const char* input) {
  auto files = SampleFiles::open(*parse_sample_source(source), inputs(input), 7);
  EXPECT_TRUE(files) << base::to_string(files.error());
  return *std::move(files);
}

TEST(SampleSource, IsAFolderOrMadeUp) {
  EXPECT_EQ(parse_sample_source("data/train")->folder, "data/train");
  const auto made = *parse_sample_source("synthetic:64,latency=5ms,size=8x6,words=3");
  EXPECT_TRUE(made.folder.empty());
  EXPECT_EQ(made.files, 64);
  EXPECT_EQ(made.latency, std::chrono::milliseconds(5));
  EXPECT_EQ(made.width, 8);
  EXPECT_EQ(made.height, 6);
  EXPECT_EQ(made.words, 3);
}

TEST(SampleSource, RefusesWhatSaysNothing) {
  for (const char* text : {"", "synthetic:", "synthetic:0", "synthetic:many", "synthetic:4,size=8",
                           "synthetic:4,latency=5", "synthetic:4,colour=red"}) {
    const auto source = parse_sample_source(text);
    ASSERT_FALSE(source) << text;
    EXPECT_EQ(source.error().kind, base::ErrorKind::usage);
    EXPECT_THAT(source.error().fix, HasSubstr("synthetic:256"));
  }
}

TEST(SampleFiles, AreMadeAsTheModelWantsThemAndGoAgain) {
  const Temporary temporary;
  {
    const auto images = made_up("synthetic:12,size=8x6", "x:Bx3x4x4");
    ASSERT_EQ(images->paths().size(), 12U);
    EXPECT_EQ(images->paths().front().extension(), ".ppm");
    EXPECT_EQ(images->read(0)->size(), std::string("P6\n8 6\n255\n").size() + 3 * 8 * 6);
    EXPECT_EQ(made_up("synthetic:2", "ids:BxS:int64=0-99")->paths().front().extension(), ".txt");
    EXPECT_EQ(made_up("synthetic:2", "x:Bx16")->paths().front().extension(), ".bin");
    EXPECT_EQ(temporary.folders(), 1U);
  }
  EXPECT_EQ(temporary.folders(), 0U);
}

TEST(SampleFiles, MadeUpAreTheSameForTheSameSeed) {
  const Temporary temporary;
  const auto one = made_up("synthetic:3", "ids:BxS:int64=0-99");
  const auto other = made_up("synthetic:3", "ids:BxS:int64=0-99");
  EXPECT_EQ(*one->read(1), *other->read(1));
  EXPECT_NE(*one->read(1), *one->read(2));
}

TEST(SampleFiles, OfAKilledProcessAreRemovedByTheNext) {
  const Temporary temporary;
  const pid_t child = fork();
  if (child == 0) {
    const auto files = SampleFiles::open(*parse_sample_source("synthetic:2"), inputs("x:Bx4"), 1);
    _exit(files ? 0 : 1);  // without its destructor
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  ASSERT_EQ(temporary.folders(), 1U);
  const auto files = made_up("synthetic:2", "x:Bx4");
  EXPECT_EQ(temporary.folders(), 1U) << "its own alone";
}

// A process of another container that shares the temporary folder: its number means nothing here.
TEST(SampleFiles, OfALivingProcessThatCannotBeSeenStay) {
  const Temporary temporary;
  const auto files = made_up("synthetic:2", "x:Bx4");
  const auto folder = files->paths().front().parent_path().parent_path();
  const auto unknown = folder.parent_path() / "batchscope-loader-2147483646-abcdef";
  std::filesystem::rename(folder, unknown);
  remove_orphaned_samples();
  EXPECT_TRUE(std::filesystem::exists(unknown));
  const auto orphan = folder.parent_path() / "batchscope-loader-2147483645-abcdef";
  std::filesystem::create_directory(orphan);
  remove_orphaned_samples();
  EXPECT_FALSE(std::filesystem::exists(orphan));
  std::filesystem::remove_all(unknown);
}

TEST(SampleFiles, OfAFolderHaveTheirFoldersAsLabels) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.file("cats"));
  std::filesystem::create_directory(folder.file("dogs"));
  folder.write("cats/1.txt", "miaow");
  folder.write("dogs/1.txt", "bark");
  folder.write("dogs/.hidden", "no");
  const auto files = *SampleFiles::open(*parse_sample_source(folder.file("")), {}, 1);
  ASSERT_EQ(files->paths().size(), 2U);
  EXPECT_EQ(*files->read(1), "bark");
  EXPECT_EQ(files->label(0), 0);
  EXPECT_EQ(files->label(1), 1);
}

TEST(SampleFiles, SayWhenThereAreNone) {
  const ScratchFolder folder;
  const auto empty = SampleFiles::open(*parse_sample_source(folder.file("")), {}, 1);
  EXPECT_EQ(empty.error().kind, base::ErrorKind::input);
  EXPECT_THAT(empty.error().what, HasSubstr("holds no file"));
  const auto absent = SampleFiles::open(*parse_sample_source(folder.file("nowhere")), {}, 1);
  EXPECT_EQ(absent.error().kind, base::ErrorKind::input);
  EXPECT_EQ(absent.error().where, folder.file("nowhere"));
}

TEST(SampleOrder, HoldsEverySampleOnceAnEpoch) {
  SampleOrder order(10, 3);
  std::vector<std::size_t> seen;
  for (int64_t batch = 0; batch < 10; ++batch) {
    for (const std::size_t sample : order.batch(batch, 4)) seen.push_back(sample);
  }
  ASSERT_EQ(seen.size(), 40U);
  std::vector<std::set<std::size_t>> epochs(4);
  for (std::size_t i = 0; i < seen.size(); ++i) epochs[i / 10].insert(seen[i]);
  for (const auto& epoch : epochs) EXPECT_EQ(epoch.size(), 10U);
  EXPECT_FALSE(std::equal(seen.begin(), seen.begin() + 10, seen.begin() + 10)) << "shuffled anew";
}

TEST(SampleOrder, IsTheSeedsWhoeverAsksAndInWhichOrder) {
  SampleOrder forwards(7, 3), backwards(7, 3), other(7, 4);
  std::vector<std::vector<std::size_t>> batches;
  for (int64_t i = 0; i < 20; ++i) batches.push_back(forwards.batch(i, 3));
  for (int64_t i = 19; i >= 0; --i) {
    EXPECT_EQ(backwards.batch(i, 3), batches[static_cast<std::size_t>(i)]);
  }
  EXPECT_NE(other.batch(0, 7), forwards.batch(0, 7));
}

}  // namespace
}  // namespace batchscope::loading
