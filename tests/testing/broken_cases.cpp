// Cases that misbehave, for supervisor_test.cpp, which runs this program.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace {

TEST(Broken, Passes) {}
TEST(Broken, Fails) {
  FAIL();
}
TEST(Broken, Skips) {
  GTEST_SKIP();
}
TEST(Broken, Crashes) {
  std::raise(SIGSEGV);
}
TEST(Broken, Leaves) {
  std::_Exit(0);
}
TEST(Broken, Hangs) {
  for (;;) pause();
}
TEST(Broken, HangsAndBlocksSignals) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  for (;;) pause();
}
TEST(Broken, IsKilled) {
  std::raise(SIGKILL);
}
TEST(Broken, ComesLast) {}

}  // namespace
