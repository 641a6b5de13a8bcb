#include "batchscope/cluster/slurm.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <functional>

#include "batchscope/base/file.hpp"
#include "batchscope/cluster/refusals.hpp"
#include "batchscope/host/cpu_list.hpp"
#include "sample_parts.hpp"
#include "testing/files/temp_folder.hpp"

namespace batchscope::cluster {
namespace {

using base::ErrorKind;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using Line = std::vector<std::string>;

// A Slurm whose tasks end at once, in virtual time.
class FakeSlurm {
 public:
  explicit FakeSlurm(int blocks) {
    job.blocks = blocks;
    options.folder = folder.path();
    options.program = "/opt/batchscope";
  }

  base::Result<void> run() {
    return measure_on_slurm(options, job,
                            {[this](const Line& line) { return call(line); },
                             [this](double seconds) {
                               now_s += seconds;
                               if (on_pause) on_pause();
                               return now_s < stop_at_s;
                             },
                             [](const std::string&) {}});
  }
  Line called(std::string_view program) const {
    Line found;
    for (const Line& line : calls) {
      if (line.front() == program) found.push_back(base_of(line));
    }
    return found;
  }

  base::TempFolder folder;
  JobFile job = sample_job();
  SlurmOptions options;
  std::vector<Line> calls;
  std::vector<int> lost;  // blocks of which a task vanishes, as often as they are here
  base::CommandResult refusal;
  bool running = false;
  std::function<void()> on_pause;
  double now_s = 0, stop_at_s = 1e9;

 private:
  static std::string base_of(const Line& line) {
    std::string text;
    for (const std::string& word : line) text += word + " ";
    return text;
  }
  base::Result<base::CommandResult> call(const Line& line) {
    calls.push_back(line);
    base::CommandResult result;
    result.exit_code = 0;
    if (line.front() == "squeue" && running) result.standard_output = "7_3\n";
    if (line.front() != "sbatch") return result;
    if (refusal.exit_code > 0) return refusal;
    result.standard_output = "41\n";
    for (const int block : blocks_of(line)) measure(block);
    return result;
  }
  static std::vector<int> blocks_of(const Line& line) {
    const auto array = std::find_if(line.begin(), line.end(), [](const std::string& word) {
      return word.starts_with("--array=");
    });
    return host::parse_cpu_list(array->substr(8, array->find('%') - 8));
  }
  void measure(int block) {
    const auto lost_here = std::find(lost.begin(), lost.end(), block);
    if (lost_here != lost.end()) {
      lost.erase(lost_here);
      return;
    }
    const schema::RunFile part = sample_part(job, block, "n1");
    ASSERT_TRUE(
        base::write_file_atomically(part_path(folder.path(), block), schema::run_file_text(part)));
  }
};

TEST(Slurm, GetsTwoArraysTheSecondAfterTheScouts) {
  FakeSlurm slurm(24);
  slurm.options.at_once = 4;
  slurm.options.flags = {"--partition=long"};
  ASSERT_TRUE(slurm.run());
  const Line arrays = slurm.called("sbatch");
  ASSERT_THAT(arrays, SizeIs(2));
  EXPECT_THAT(arrays[0], AllOf(HasSubstr("--array=0-1%4 "), Not(HasSubstr("dependency"))));
  EXPECT_THAT(arrays[1], AllOf(HasSubstr("--array=2-23%4 "), HasSubstr("--dependency=afterany:41 "),
                               HasSubstr("--exclusive "), HasSubstr("--partition=long "),
                               HasSubstr("--wrap=exec /opt/batchscope block /"),
                               HasSubstr("$SLURM_ARRAY_TASK_ID")));
  EXPECT_THAT(slurm.called("squeue"), SizeIs(1)) << "for tasks of an earlier launcher";
  EXPECT_THAT(slurm.called("scancel"), IsEmpty());
}

TEST(Slurm, MissingBlocksAreSubmittedAnew) {
  FakeSlurm slurm(12);
  slurm.lost = {3, 4, 4, 9};
  ASSERT_TRUE(slurm.run());
  const Line arrays = slurm.called("sbatch");
  ASSERT_THAT(arrays, SizeIs(4));
  EXPECT_THAT(arrays[2], HasSubstr("--array=3-4,9 "));
  EXPECT_THAT(arrays[3], HasSubstr("--array=4 "));
  EXPECT_GE(slurm.now_s, 90) << "parts may be seen late";
}

TEST(Slurm, WhatIsMissingInTheEndIsNamedWithItsLog) {
  FakeSlurm slurm(6);
  slurm.lost = {3, 3, 3, 5, 5, 5};
  std::filesystem::create_directories(slurm.folder / "logs");
  std::ofstream(slurm.folder / "logs/5.log") << "start\nno space left\n";
  const auto ended = slurm.run();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().kind, ErrorKind::failed);
  EXPECT_THAT(ended.error().what,
              AllOf(HasSubstr("block 3, 5 after 3 submissions"), HasSubstr("block 3 has no log"),
                    HasSubstr("no space left")));
  EXPECT_THAT(slurm.called("sbatch"), SizeIs(4));
}

TEST(Slurm, SeveralBlocksATaskTakeFewerTasks) {
  FakeSlurm slurm(12);
  slurm.options.blocks_per_task = 4;
  slurm.stop_at_s = 5;  // the tasks of this array are not blocks
  EXPECT_EQ(slurm.run().error().kind, ErrorKind::interrupted);
  const Line arrays = slurm.called("sbatch");
  ASSERT_THAT(arrays, SizeIs(2));
  EXPECT_THAT(arrays[1],
              AllOf(HasSubstr("--array=0-2 "), HasSubstr("2) exec"), HasSubstr("10 11;;")));
}

TEST(Slurm, AStopCancels) {
  FakeSlurm slurm(4);
  slurm.lost = {2, 3};
  slurm.stop_at_s = 3;
  EXPECT_EQ(slurm.run().error().kind, ErrorKind::interrupted);
  EXPECT_THAT(slurm.called("scancel"), SizeIs(1));
}

TEST(Slurm, TasksOfALauncherThatWasKilledAreCancelledFirst) {
  FakeSlurm slurm(4);
  slurm.running = true;
  ASSERT_TRUE(slurm.run());
  ASSERT_GE(slurm.calls.size(), 3U);
  EXPECT_EQ(slurm.calls[1].front(), "scancel");
  EXPECT_EQ(slurm.calls[1].back(), slurm.calls[0][3]) << "by the name of the folder";
}

TEST(Slurm, RefusesInItsOwnWords) {
  FakeSlurm slurm(4);
  slurm.refusal.exit_code = 1;
  slurm.refusal.standard_error = "sbatch: error: invalid partition specified: long\n";
  const auto partition = slurm.run();
  EXPECT_EQ(partition.error().kind, ErrorKind::usage);
  EXPECT_THAT(partition.error().what, HasSubstr("invalid partition specified: long"));
  slurm.refusal.standard_error = "sbatch: error: Invalid job array specification\n";
  EXPECT_THAT(slurm.run().error().fix, HasSubstr("--blocks-per-task"));
}

TEST(Slurm, ABlockThatRefusesEndsIt) {
  FakeSlurm slurm(4);
  ASSERT_TRUE(write_job(slurm.folder.path(), slurm.job));
  slurm.lost = {2};
  slurm.on_pause = [&] {
    tell_refusal(slurm.folder.path(), 2, {ErrorKind::input, "too old", "", ""});
  };
  const auto refused = slurm.run();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::input);
  EXPECT_THAT(refused.error().what, HasSubstr("block 2 cannot be measured: too old"));
  EXPECT_EQ(slurm.now_s, 1);
  EXPECT_THAT(slurm.called("scancel"), SizeIs(1));
  slurm.on_pause = {};
  EXPECT_TRUE(slurm.run()) << "what an earlier launcher saw is forgotten";
}

}  // namespace
}  // namespace batchscope::cluster
