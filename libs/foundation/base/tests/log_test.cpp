#include "batchscope/base/log.hpp"

#include <gtest/gtest.h>

namespace batchscope::base {
namespace {

std::string printed_at(LogLevel level) {
  const Log log(level);
  testing::internal::CaptureStderr();
  log.info("i");
  log.warning("w");
  log.error("e");
  return testing::internal::GetCapturedStderr();
}

TEST(Log, LevelsDecideWhatIsPrinted) {
  EXPECT_EQ(printed_at(LogLevel::quiet), "warning: w\nerror: e\n");
  EXPECT_EQ(printed_at(LogLevel::normal), "i\nwarning: w\nerror: e\n");
}

// CI takes lines that begin with "::" for commands.
TEST(Log, NamesBeginNoLine) {
  testing::internal::CaptureStderr();
  Log().error("x\n::error::y");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "error: x ::error::y\n");
}

TEST(Log, LeavesStandardOutputAlone) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Log().info("x");
  (void)testing::internal::GetCapturedStderr();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace batchscope::base
