#include <gtest/gtest.h>

#include "batchscope/base/result.hpp"
#include "command.hpp"

namespace batchscope::cli {
namespace {

using base::ErrorKind;

TEST(ExitCode, FollowsFromTheKindOfError) {
  const auto code = [](ErrorKind kind) { return exit_code({kind, "what"}); };
  EXPECT_EQ(code(ErrorKind::failed), 1);
  EXPECT_EQ(code(ErrorKind::out_of_memory), 1);
  EXPECT_EQ(code(ErrorKind::usage), 2);
  EXPECT_EQ(code(ErrorKind::input), 3);
  EXPECT_EQ(code(ErrorKind::interrupted), 130);
}

}  // namespace
}  // namespace batchscope::cli
