#include "batchscope/cluster/conditions.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "testing/files/temp_folder.hpp"

namespace batchscope::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// What stands for "/" in a test.
class FakeRoot {
 public:
  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = folder_.path() / path.substr(1);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  base::SystemRoot root() const { return base::SystemRoot(folder_.path()); }

 private:
  base::TempFolder folder_;
};

TEST(TimingVariables, AreSetAsWantedAndOthersOfTheKindRemoved) {
  setenv("MALLOC_TRIM_THRESHOLD_", "65536", 1);
  setenv("OMP_NUM_THREADS", "1", 1);
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  EXPECT_EQ(timing_variables().at("MALLOC_TRIM_THRESHOLD_"), "65536");
  const std::map<std::string, std::string> wanted = {{"OMP_NUM_THREADS", "8"},
                                                     {"MKL_DYNAMIC", "FALSE"}};
  set_timing_variables(wanted);
  EXPECT_EQ(timing_variables(), wanted);
  EXPECT_STREQ(getenv("CUDA_VISIBLE_DEVICES"), "1");
  set_timing_variables({});
  EXPECT_THAT(timing_variables(), IsEmpty());
  unsetenv("CUDA_VISIBLE_DEVICES");
}

// In a thread of its own: signals are blocked by thread.
TEST(ResetProcess, UnblocksWhatStopsIt) {
  std::thread([] {
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    pthread_sigmask(SIG_BLOCK, &stops, nullptr);
    const FakeRoot root;
    root.write("/proc/self/oom_score_adj", "9");
    reset_process(root.root());
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, nullptr, &now);
    EXPECT_EQ(sigismember(&now, SIGINT), 0);
    EXPECT_EQ(root.root().read_trimmed("/proc/self/oom_score_adj"), "0");
  }).join();
}

TEST(ThisNode, HasTheNameThatItsClusterGivesIt) {
  const FakeRoot root;
  root.write("/proc/sys/kernel/hostname", "pod7\n");
  root.write("/proc/sys/kernel/random/boot_id", "0123456789-rest\n");
  const auto gpus = gpu::absent_gpus("none", "");
  EXPECT_THAT(this_node(root.root(), *gpus, {}).name, StartsWith("pod7-01234567"));
  setenv("SLURMD_NODENAME", "n4", 1);
  EXPECT_EQ(this_node(root.root(), *gpus, {}).name, "n4");
  setenv("BATCHSCOPE_NODE", "worker-3", 1);
  const schema::Node node = this_node(root.root(), *gpus, {{"torch", "2"}});
  EXPECT_EQ(node.name, "worker-3");
  EXPECT_EQ(node.boot_id, "0123456789-rest");
  EXPECT_EQ(node.versions.at("torch"), "2");
  EXPECT_GT(node.allowed_cpus, 0);
  unsetenv("SLURMD_NODENAME");
  unsetenv("BATCHSCOPE_NODE");
}

TEST(PlacementHere, NamesDevicesAndTheTask) {
  const FakeRoot root;
  const auto gpus = gpu::absent_gpus("none", "");
  std::vector<schema::RunConfig> configs(3);
  configs[0].device = configs[2].device = "cpu";
  configs[1].device = "cuda:1";
  setenv("SLURM_ARRAY_JOB_ID", "12", 1);
  setenv("SLURM_ARRAY_TASK_ID", "3", 1);
  setenv("SLURM_RESTART_COUNT", "2", 1);
  const schema::Placement here = placement_here(root.root(), *gpus, configs);
  EXPECT_THAT(here.devices, ElementsAre("cpu", "cuda:1"));
  EXPECT_EQ(here.job, "slurm 12_3");
  EXPECT_EQ(here.restarts, 2);
  EXPECT_EQ(here.nice, getpriority(PRIO_PROCESS, 0));
  EXPECT_FALSE(here.cpus.empty());
  setenv("CUDA_VISIBLE_DEVICES", "MIG-a, MIG-b", 1);
  EXPECT_THAT(placement_here(root.root(), *gpus, configs).devices, ElementsAre("cpu", "MIG-b"));
  unsetenv("CUDA_VISIBLE_DEVICES");
  for (const char* name : {"SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_RESTART_COUNT"}) {
    unsetenv(name);
  }
}

TEST(Warnings, SayWhatTheEngineMadeOfTheProcess) {
  schema::Placement placement;
  placement.block = 4;
  EXPECT_THAT(warnings_of(placement), IsEmpty());
  placement.nice = 15;
  placement.lock_wait_s = 30;
  placement.cpu_quota = 1.5;
  placement.restarts = 1;
  const auto warnings = warnings_of(placement);
  ASSERT_EQ(warnings.size(), 4U);
  EXPECT_THAT(warnings[0].what, HasSubstr("nice 15"));
  EXPECT_EQ(warnings[3].where.block, 4);
}

}  // namespace
}  // namespace batchscope::cluster
