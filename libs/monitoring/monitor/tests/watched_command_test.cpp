#include "batchscope/monitor/watched_command.hpp"

#include <gtest/gtest.h>
#include <signal.h>

namespace batchscope::monitor {
namespace {

const auto kLate = [] { return std::chrono::steady_clock::now() + std::chrono::minutes(1); };

int code_of(const std::vector<std::string>& argv) {
  auto command = WatchedCommand::start(argv);
  return command ? command->wait_until(kLate(), {}).value_or(-1) : -2;
}

TEST(WatchedCommand, GivesTheExitCodeAndSignalsAsShellsDo) {
  EXPECT_EQ(code_of({"true"}), 0);
  EXPECT_EQ(code_of({"sh", "-c", "exit 42"}), 42);
  EXPECT_EQ(code_of({"sh", "-c", "kill -9 $$"}), 128 + SIGKILL);
}

TEST(WatchedCommand, WhatCannotBeStartedIsAnError) {
  const auto none = WatchedCommand::start({"/nowhere/program"});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, base::ErrorKind::failed);
  EXPECT_EQ(none.error().where, "/nowhere/program");
}

// What this program keeps from itself, its programs must be able to get.
TEST(WatchedCommand, ItsSignalsAreTheUsual) {
  sigset_t held, before;
  sigemptyset(&held);
  sigaddset(&held, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  const auto ignored = signal(SIGPIPE, SIG_IGN);
  auto command = WatchedCommand::start({"sh", "-c", "kill -PIPE $$; exit 1"});
  ASSERT_TRUE(command);
  EXPECT_EQ(command->wait_until(kLate(), {}), 128 + SIGPIPE);
  auto sleeper = WatchedCommand::start({"sleep", "600"});
  ASSERT_TRUE(sleeper);
  EXPECT_FALSE(sleeper->exit_code());
  sleeper->send(SIGTERM);
  EXPECT_EQ(sleeper->wait_until(kLate(), {}), 128 + SIGTERM);
  signal(SIGPIPE, ignored);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(WatchedCommand, WaitingEndsWhenAStopIsAskedFor) {
  auto sleeper = WatchedCommand::start({"sleep", "600"});
  ASSERT_TRUE(sleeper);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(sleeper->wait_until(kLate(), stop.get_token()));
  sleeper->send(SIGKILL);
  EXPECT_TRUE(sleeper->wait_until(kLate(), {}));
}

}  // namespace
}  // namespace batchscope::monitor
