#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "batchscope/base/file.hpp"
#include "batchscope/base/subprocess.hpp"
#include "processes/reap.hpp"
#include "testing/files/temp_folder.hpp"

namespace batchscope::base {
namespace {

using namespace std::chrono_literals;
using ::testing::EndsWith;
using ::testing::HasSubstr;

Deadline in(Nanoseconds time) {
  return Deadline::clock::now() + time;
}
Deadline soon() {
  return in(60s);
}

ChildSpec script(const std::string& text) {
  ChildSpec spec;
  spec.argv = {"sh", "-c", text};
  return spec;
}

Child start(const ChildSpec& spec) {
  auto child = Child::spawn(spec);
  EXPECT_TRUE(child) << to_string(child.error());
  return std::move(*child);
}

std::string line_of(Child& child) {
  const auto line = child.receive_line(soon());
  EXPECT_TRUE(line) << to_string(line.error());
  return line->value_or("<end>");
}

TEST(Child, ExchangesLines) {
  Child child = start(script("while read -r x <&3; do echo \"got $x\" >&3; done"));
  ASSERT_TRUE(child.send_line("a", soon()));
  EXPECT_EQ(line_of(child), "got a");
  ASSERT_TRUE(child.send_line("b", soon()));
  EXPECT_EQ(line_of(child), "got b");
}

TEST(Child, DeliversWhatWasSentBeforeTheEndAndDropsAHalfLine) {
  Child child = start(script("printf 'one\\ntwo\\nhalf' >&3; exit 4"));
  const auto exit = child.wait(soon());
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->exit_code, 4);
  EXPECT_EQ(exit->signal, 0);
  EXPECT_GT(exit->wall.count(), 0);
  EXPECT_GT(exit->max_rss_bytes, 0);
  EXPECT_GT(exit->minor_faults, 0);
  EXPECT_EQ(line_of(child), "one");
  EXPECT_EQ(line_of(child), "two");
  EXPECT_EQ(line_of(child), "<end>");
  EXPECT_EQ(child.wait(soon())->exit_code, 4);
}

TEST(Child, CarriesLinesLargerThanTheSocketBothWays) {
  Child child = start(script("read -r x <&3; echo \"$x\" >&3; echo \"$x\" >&3"));
  const std::string large(2'000'000, 'y');
  ASSERT_TRUE(child.send_line(large, soon()));
  EXPECT_EQ(line_of(child), large);
  EXPECT_EQ(line_of(child), large);
}

TEST(Child, NeverBlocksOnItsOutputAndKeepsTheTail) {
  Child child = start(script("head -c 3000000 /dev/zero >&2; echo last words; echo done >&3"));
  EXPECT_EQ(line_of(child), "done");
  ASSERT_TRUE(child.wait(soon()));
  EXPECT_THAT(child.output_tail(), EndsWith("last words\n"));
  EXPECT_LE(child.output_tail().size(), 16U * 1024);
}

TEST(Child, ADeadlineIsAnErrorThatLeavesTheChildRunning) {
  Child child = start(script("read -r x <&3; echo alive >&3"));
  const auto late = child.receive_line(in(20ms));
  ASSERT_FALSE(late);
  EXPECT_THAT(late.error().what, HasSubstr("timed out"));
  EXPECT_TRUE(child.timed_out());
  ASSERT_TRUE(child.send_line("go", soon()));
  EXPECT_EQ(line_of(child), "alive");
}

TEST(Child, AChildThatWritesWithoutEndStillMeetsTheDeadline) {
  Child child = start(script("cat /dev/zero >&2"));
  EXPECT_FALSE(child.receive_line(in(50ms)));
}

TEST(Child, SendingToOneThatDoesNotReadMeetsTheDeadline) {
  Child child = start(script("exec sleep 1000"));
  EXPECT_FALSE(child.send_line(std::string(4'000'000, 'z'), in(20ms)));
  EXPECT_TRUE(child.timed_out());
}

TEST(Child, SendingToOneThatEndedIsAnErrorNotASignal) {
  Child child = start(script("exit 0"));
  EXPECT_EQ(line_of(child), "<end>");
  EXPECT_FALSE(child.send_line("x", soon()));
}

// Else whoever asks again after a deadline takes every later error for one more.
TEST(Child, ADeadlineIsForgottenByTheNextCall) {
  Child child = start(script("read -r x <&3"));
  EXPECT_FALSE(child.receive_line(in(1ms)));
  EXPECT_TRUE(child.timed_out());
  ASSERT_TRUE(child.send_line("end", soon()));
  EXPECT_FALSE(child.timed_out());
  const auto exit = child.wait(soon());
  ASSERT_TRUE(exit);
  EXPECT_FALSE(child.timed_out());
  EXPECT_FALSE(child.send_line("x", soon()));
  EXPECT_FALSE(child.timed_out());
}

TEST(Child, WaitKillsAtItsDeadline) {
  Child child = start(script("trap '' TERM; exec sleep 1000"));
  const auto exit = child.wait(in(20ms));
  ASSERT_TRUE(exit);
  EXPECT_TRUE(child.timed_out());
  EXPECT_EQ(exit->signal, SIGKILL);
  EXPECT_EQ(exit->exit_code, -1);
}

// The pipe's end is the witness: it closes when the last process that holds it is gone.
TEST(Child, KillReachesProcessesItStarted) {
  const TempFolder folder;
  const std::string path = (folder / "pipe").string();
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  Child child = start(script("exec 5>" + path + "; sleep 1000 & echo up >&3; wait"));
  EXPECT_EQ(line_of(child), "up");
  child.kill();
  EXPECT_EQ(child.wait(soon())->signal, SIGKILL);
  pollfd end{reader, POLLIN, 0};
  EXPECT_EQ(poll(&end, 1, 60'000), 1);
  char byte = 0;
  EXPECT_EQ(read(reader, &byte, 1), 0);
  close(reader);
}

bool is_running(int pid) {
  const auto stat = read_file("/proc/" + std::to_string(pid) + "/stat");
  return stat && stat->find(") Z ") == std::string::npos;
}

TEST(Child, WhatItDetachesEndsWithItAndIsCounted) {
  for (const char* end : {"exit 3", "kill -SEGV $$"}) {
    Child child =
        start(script(std::string("setsid sh -c 'setsid sh -c \"echo \\$\\$ >&3; exec sleep "
                                 "1000\"; :' & env -i setsid sh -c 'echo $$ >&3; exec "
                                 "sleep 1000' & read -r go <&3; ") +
                     end));
    const int first = std::stoi(line_of(child)), second = std::stoi(line_of(child));
    EXPECT_TRUE(is_running(first));
    EXPECT_TRUE(is_running(second));
    ASSERT_TRUE(child.send_line("go", soon()));
    const auto exit = child.wait(soon());
    ASSERT_TRUE(exit);
    EXPECT_EQ(exit->exit_code, std::string(end) == "exit 3" ? 3 : -1);
    EXPECT_EQ(exit->signal, std::string(end) == "exit 3" ? 0 : SIGSEGV);
    EXPECT_EQ(exit->left_behind, 3);
    EXPECT_FALSE(is_running(first));
    EXPECT_FALSE(is_running(second));
  }
}

TEST(Child, WhatItDetachesEndsWhereItIsKilled) {
  int pid = 0;
  {
    Child child = start(script("setsid sh -c 'echo $$ >&3; exec sleep 1000' & sleep 1000"));
    pid = std::stoi(line_of(child));
    EXPECT_TRUE(is_running(pid));
  }
  EXPECT_FALSE(is_running(pid));
}

TEST(Child, EndsThoughItHasStoppedItsKeeper) {
  Child child = start(script("read -r x <&3; kill -STOP $PPID; echo stopped >&3; sleep 1000"));
  ASSERT_TRUE(child.send_line("begin", soon()));
  EXPECT_EQ(line_of(child), "stopped");
  const auto exit = child.wait(in(0s));
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->signal, SIGKILL);
  EXPECT_EQ(exit->keeper_signal, 0);
}

// A process that holds another until it is killed; 0: it may not.
pid_t trace(pid_t held) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return 0;
  const pid_t tracer = fork();
  if (tracer == 0) {
    if (ptrace(PTRACE_ATTACH, held, nullptr, nullptr) != 0) _exit(1);
    if (waitpid(held, nullptr, 0) != held || write(ends[1], "x", 1) != 1) _exit(1);
    for (;;) pause();
  }
  close(ends[1]);
  char printed = 0;
  const bool holds = read(ends[0], &printed, 1) == 1;
  close(ends[0]);
  if (!holds) waitpid(tracer, nullptr, 0);
  return holds ? tracer : 0;
}

TEST(Child, ADebuggerThatHoldsItsKeeperIsSeen) {
  Child child = start(script("read -r x <&3; echo $PPID >&3; sleep 1000"));
  ASSERT_TRUE(child.send_line("begin", soon()));
  const pid_t keeper = std::stoi(line_of(child));
  EXPECT_FALSE(is_traced(keeper));
  const pid_t tracer = trace(keeper);
  if (tracer == 0) GTEST_SKIP() << "no right to trace";
  EXPECT_TRUE(is_traced(keeper));
  ::kill(tracer, SIGKILL);  // which lets go
  waitpid(tracer, nullptr, 0);
}

TEST(Child, SaysThatItsKeeperWasKilled) {
  Child child = start(script("read -r x <&3; kill -KILL $PPID; sleep 1000"));
  ASSERT_TRUE(child.send_line("begin", soon()));
  const auto exit = child.wait(soon());
  ASSERT_TRUE(exit);
  EXPECT_EQ(exit->keeper_signal, SIGKILL);
}

TEST(Child, DiesWithItsParent) {
  const TempFolder folder;
  const std::string path = (folder / "pipe").string();
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const pid_t parent = fork();
  if (parent == 0) {
    auto child = Child::spawn(script("exec 5>" + path + "; echo up >&3; exec sleep 1000"));
    if (child) (void)child->receive_line(soon());
    ::kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(parent, &status, 0), parent);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  pollfd end{reader, POLLIN, 0};
  EXPECT_EQ(poll(&end, 1, 60'000), 1);
  char byte = 0;
  EXPECT_EQ(read(reader, &byte, 1), 0);
  close(reader);
}

TEST(Child, ItsEndIsSeenThoughAProcessItLeftHoldsTheConnection) {
  Child child = start(script("sleep 1000 & exit 0"));
  EXPECT_EQ(line_of(child), "<end>");
  EXPECT_EQ(child.wait(soon())->exit_code, 0);
}

TEST(Child, HasAGroupOfItsOwn) {
  const Child child = start(script("exec sleep 1000"));
  EXPECT_EQ(getpgid(child.pid()), child.pid());
}

TEST(Child, InheritsNoOtherDescriptors) {
  const int extra = open("/dev/null", O_RDONLY);  // would be inherited
  ChildSpec spec;
  spec.argv = {"ls", "/proc/self/fd"};
  Child child = start(spec);
  ASSERT_TRUE(child.wait(soon()));
  EXPECT_EQ(child.output_tail(), "0\n1\n2\n3\n4\n");  // 4 is the folder that ls reads
  close(extra);
}

TEST(Child, AppliesEnvironmentLimitsCgroupAndCpus) {
  const TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "cgroup.procs", ""));
  cpu_set_t mine;
  ASSERT_EQ(sched_getaffinity(0, sizeof(mine), &mine), 0);
  size_t cpu = 0;
  while (!CPU_ISSET(cpu, &mine)) ++cpu;
  ChildSpec spec = script(
      "echo $BATCHSCOPE_X $HOME >&3; ulimit -d >&3; "
      "grep Cpus_allowed_list /proc/self/status | cut -f2 >&3");
  spec.environment = {{"BATCHSCOPE_X", "a b"}, {"HOME", "/elsewhere"}};
  spec.data_limit_bytes = int64_t{1} << 30;
  spec.cgroup_procs_path = (folder / "cgroup.procs").string();
  spec.cpus = {static_cast<int>(cpu)};
  Child child = start(spec);
  EXPECT_EQ(line_of(child), "a b /elsewhere");
  EXPECT_EQ(line_of(child), "1048576");
  EXPECT_EQ(line_of(child), std::to_string(cpu));
  EXPECT_EQ(*read_file(folder / "cgroup.procs"), std::to_string(child.pid()));
}

TEST(Child, SaysWhyItCannotStart) {
  const TempFolder folder;
  ChildSpec spec = script("exit 0");
  spec.argv = {"no-such-program"};
  EXPECT_THAT(Child::spawn(spec).error().what, HasSubstr("not installed"));
  ASSERT_TRUE(write_file_atomically(folder / "broken", "#!/no/such/interpreter\n"));
  std::filesystem::permissions(folder / "broken", std::filesystem::perms::owner_all);
  spec.argv = {(folder / "broken").string()};
  EXPECT_THAT(Child::spawn(spec).error().what, HasSubstr("cannot start the program"));
  spec = script("exit 0");
  spec.cgroup_procs_path = "/no/such/cgroup.procs";
  EXPECT_THAT(Child::spawn(spec).error().what, HasSubstr("cgroup"));
  spec = script("exit 0");
  spec.cpus = {60000};
  EXPECT_THAT(Child::spawn(spec).error().what, HasSubstr("CPUs"));
  spec.cpus = {-1};
  EXPECT_THAT(Child::spawn(spec).error().what, HasSubstr("CPU numbers"));
}

TEST(Child, StartsWithDefaultSignals) {
  const auto old = ::signal(SIGPIPE, SIG_IGN);
  Child child = start(script("kill -PIPE $$; exit 0"));
  EXPECT_EQ(child.wait(soon())->signal, SIGPIPE);
  (void)::signal(SIGPIPE, old);
}

}  // namespace
}  // namespace batchscope::base
