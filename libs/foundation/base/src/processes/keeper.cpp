#include "keeper.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "child_setup.hpp"

namespace batchscope::base {
namespace {

constexpr int kWordsFd = 0;  // where the keeper has moved its pipe

void say(int word) {
  (void)!write(kWordsFd, &word, sizeof(word));
}

sigset_t set_of(int signal, int other) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  sigaddset(&set, other);
  return set;
}

// Until the program has ended: its status, as wait(2) has it.
int await(pid_t program) {
  const sigset_t awaited = set_of(SIGCHLD, SIGTERM);
  for (;;) {
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
      if (ended == program) return status;
    }
    if (sigwaitinfo(&awaited, nullptr) == SIGTERM) kill_group(program);
  }
}

// The children of this process, which has one thread, as far as they fit into the buffer.
class Children {
 public:
  Children() {
    const int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t count = read(file, text_.data(), text_.size() - 1);
    close(file);
    if (count > 0) text_[static_cast<size_t>(count)] = '\0';
  }

  // 0: no more.
  pid_t next() {
    pid_t pid = 0;
    while (*at_ == ' ') ++at_;
    for (; *at_ >= '0' && *at_ <= '9'; ++at_) pid = 10 * pid + (*at_ - '0');
    // A number that the buffer cut off would be that of another process.
    return *at_ == ' ' ? pid : 0;
  }

 private:
  std::array<char, 4096> text_{};
  const char* at_ = text_.data();
};

bool kill_children() {
  Children children;
  bool some = false;
  for (pid_t child = children.next(); child != 0; child = children.next()) {
    some = true;
    kill(child, SIGKILL);
  }
  return some;
}

// How many of those that have ended were outside of the group of the program.
int reap_ended(pid_t program) {
  for (int outside = 0;;) {
    siginfo_t info{};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) {
      return outside;
    }
    if (getpgid(info.si_pid) != program) ++outside;
    waitpid(info.si_pid, nullptr, WNOHANG);
  }
}

// Their own children become this process's, and are ended in the next round.
int end_left_behind(pid_t program) {
  constexpr int kMostRounds = 100;  // of one that cannot be ended, as it waits for a device
  constexpr timespec kARound{0, 50'000'000};
  const sigset_t awaited = set_of(SIGCHLD, SIGCHLD);
  kill(-program, SIGKILL);
  reap_ended(program);
  int ended = 0;
  for (int round = 0; round < kMostRounds && kill_children(); ++round) {
    sigtimedwait(&awaited, nullptr, &kARound);
    ended += reap_ended(program);
  }
  return ended;
}

}  // namespace

void keep_program(pid_t parent, int words) {
  die_with(parent, SIGTERM);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t keeper = getpid();
  const pid_t program = fork();
  if (program == 0) {
    setpgid(0, 0);
    die_with(keeper, SIGKILL);
    return;
  }
  if (program < 0) _exit(127);
  setpgid(program, program);
  prctl(PR_SET_NAME, "keeper");
  dup2(words, kWordsFd);
  close_from(kWordsFd + 1);
  say(program);
  const int status = await(program);
  say(end_left_behind(program));
  say(status);
  _exit(0);
}

}  // namespace batchscope::base
