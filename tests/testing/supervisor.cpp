#include "supervisor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "cases.hpp"

namespace batchscope::testing {
namespace {

using Clock = std::chrono::steady_clock;

// Cases that are whole experiments, by a part of their name, and how many times the usual limit
// they may take.
struct Slow {
  std::string_view part;
  double times;
};
constexpr Slow kSlow[] = {
    {"Truth.", 5},            // rates over thousands of experiments
    {"RandomTimelines.", 5},  // hundreds of timelines
};

class Supervisor {
 public:
  explicit Supervisor(double limit_s) : limit_s_(limit_s), first_filter_(GTEST_FLAG_GET(filter)) {}

  int run() {
    do {
      start();
      follow();
    } while (judge());
    std::printf("cases: %d passed, %d failed, %d skipped\n", passed_, failed_, skipped_);
    return failed_ > 0 ? 1 : 0;
  }

 private:
  void start() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
    std::fflush(nullptr);
    ended_ = overdue_ = progressed_ = false;
    failed_here_ = 0;
    child_ = fork();
    if (child_ < 0) std::abort();
    if (child_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(ends[0]);
      GTEST_FLAG_SET(filter, rest_of_the_filter());
      std::exit(run_cases(ends[1]));
    }
    close(ends[1]);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    reports_ = ends[0];
    await(limit_s_);
  }

  // Until the child has ended. What its own children hold of the pipe keeps nobody waiting.
  void follow() {
    const int alive = static_cast<int>(syscall(SYS_pidfd_open, child_, 0));
    if (alive < 0) std::abort();
    pollfd both[] = {{reports_, POLLIN, 0}, {alive, POLLIN, 0}};
    while ((both[1].revents & POLLIN) == 0) {
      using std::chrono::milliseconds;
      const auto left = std::chrono::ceil<milliseconds>(deadline_ - Clock::now()).count();
      const int ready = poll(both, 2, static_cast<int>(std::clamp<int64_t>(left, 0, 1 << 30)));
      if (ready == 0) expire();
      if (ready > 0 && !read_reports()) both[0].fd = -1;
    }
    read_reports();
    close(alive);
    close(reports_);
    waitpid(child_, &status_, 0);
  }

  void await(double seconds) {
    deadline_ = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  // First it is asked for its stack, and ends itself; what does not listen is killed.
  void expire() {
    constexpr double kForItsStackS = 10;
    if (overdue_) kill(child_, SIGKILL);
    if (!overdue_) syscall(SYS_tgkill, child_, child_, kShowStack);
    overdue_ = true;
    await(std::min(kForItsStackS, limit_s_));
  }

  // False once nothing more can come.
  bool read_reports() {
    char block[4096];
    ssize_t got = 0;
    while ((got = read(reports_, block, sizeof block)) > 0) {
      text_.append(block, static_cast<size_t>(got));
    }
    size_t end = 0;
    while ((end = text_.find('\n')) != std::string::npos) {
      take(text_.substr(0, end));
      text_.erase(0, end + 1);
    }
    return got != 0;
  }

  void take(const std::string& line) {
    if (line.back() == ']') return print_frame(line);
    const size_t space = line.find(' ');
    const std::string word = line.substr(0, space);
    if (word == "ended") ended_ = true;
    if (word == "started") current_ = line.substr(space + 1);
    if (!overdue_) await(limit_of_current());
    if (word == "started" || word == "ended") return;
    passed_ += word == "passed" ? 1 : 0;
    failed_here_ += word == "failed" ? 1 : 0;
    skipped_ += word == "skipped" ? 1 : 0;
    finish_current();
  }

  // A function that is not exported has no name there; addr2line knows it.
  static void print_frame(const std::string& line) {
    const size_t offset = line.find("(+0x");
    const std::string as_it_is = "echo '  " + line + "'";
    const std::string named = "addr2line -Cfpie '" + line.substr(0, offset) + "' " +
                              line.substr(offset + 2, line.find(')') - offset - 2);
    std::fflush(stdout);
    const std::string command =
        offset == std::string::npos ? as_it_is : named + " 2>/dev/null || " + as_it_is;
    if (std::system(command.c_str()) != 0) std::printf("  %s\n", line.c_str());
  }

  double limit_of_current() const {
    const auto slow = std::find_if(std::begin(kSlow), std::end(kSlow), [&](const Slow& each) {
      return current_.find(each.part) != std::string::npos;
    });
    return limit_s_ * (slow == std::end(kSlow) ? 1 : slow->times);
  }

  void finish_current() {
    done_ += ":" + current_;
    current_.clear();
    progressed_ = true;
  }

  // Whether there are cases left to run.
  bool judge() {
    failed_ += failed_here_;
    const bool well = WIFEXITED(status_) && WEXITSTATUS(status_) == (failed_here_ > 0 ? 1 : 0);
    if (ended_ && well) return false;
    ++failed_;
    std::printf("[  FAILED  ] %s: %s\n", current_.empty() ? "between cases" : current_.c_str(),
                how_it_ended().c_str());
    if (ended_) return false;
    if (!current_.empty()) finish_current();
    return progressed_;
  }

  std::string how_it_ended() const {
    if (overdue_) {
      return "took longer than " + std::to_string(std::lround(limit_of_current())) + " s";
    }
    if (!WIFSIGNALED(status_)) {
      return "ended the program with exit code " + std::to_string(WEXITSTATUS(status_));
    }
    return std::string("ended the program by signal: ") + strsignal(WTERMSIG(status_));
  }

  std::string rest_of_the_filter() const {
    if (done_.empty()) return first_filter_;
    const bool excludes = first_filter_.find('-') != std::string::npos;
    return first_filter_ + (excludes ? done_ : "-" + done_.substr(1));
  }

  const double limit_s_;
  const std::string first_filter_;
  int passed_ = 0, failed_ = 0, skipped_ = 0;
  std::string done_;  // names, each behind a colon

  // Of the child that runs:
  pid_t child_ = 0;
  int reports_ = -1, status_ = 0, failed_here_ = 0;
  std::string text_, current_;
  Clock::time_point deadline_;
  bool ended_ = false, overdue_ = false, progressed_ = false;
};

}  // namespace

int supervise(double limit_s) {
  return Supervisor(limit_s).run();
}

}  // namespace batchscope::testing
