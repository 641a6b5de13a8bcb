#include "cases.hpp"

#include <execinfo.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>

namespace batchscope::testing {
namespace {

pid_t runner = 0;
int reports = -1;

// Only what a signal's handler may call.
void show_stack(int signal) {
  if (getpid() == runner) {
    std::array<void*, 64> frames{};
    backtrace_symbols_fd(frames.data(), backtrace(frames.data(), frames.size()), reports);
  }
  raise(signal);  // which now does what it does by default
}

void show_stacks() {
  runner = getpid();
  void* frame = nullptr;
  backtrace(&frame, 1);  // loads what it needs, which a handler may not
  static std::array<char, 1 << 16> stack;
  const stack_t other{stack.data(), 0, stack.size()};  // for where the usual one is full
  sigaltstack(&other, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, kShowStack}) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_DFL) continue;  // a sanitizer's, which tells more
    action.sa_handler = show_stack;
    action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
    sigaction(signal, &action, nullptr);
  }
}

// What tests start takes signals as usual, also where whoever started the tests ignores them.
void take_signals_as_usual() {
  for (const int signal : {SIGINT, SIGQUIT, SIGHUP}) ::signal(signal, SIG_DFL);
}

class Reporter : public ::testing::EmptyTestEventListener {
 public:
  void OnTestStart(const ::testing::TestInfo& test) override { tell("started", test); }

  void OnTestEnd(const ::testing::TestInfo& test) override {
    const ::testing::TestResult& result = *test.result();
    tell(result.Failed() ? "failed" : result.Skipped() ? "skipped" : "passed", test);
  }

  void OnTestProgramEnd(const ::testing::UnitTest&) override { write_line("ended"); }

 private:
  void tell(const char* what, const ::testing::TestInfo& test) {
    write_line(std::string(what) + " " + test.test_suite_name() + "." + test.name());
  }

  void write_line(const std::string& line) {
    const std::string full = line + "\n";
    if (write(reports, full.data(), full.size()) < 0) std::abort();
  }
};

}  // namespace

int run_cases(int reports_end) {
  reports = reports_end;
  take_signals_as_usual();
  show_stacks();
  ::testing::UnitTest::GetInstance()->listeners().Append(new Reporter);
  return RUN_ALL_TESTS();
}

}  // namespace batchscope::testing
