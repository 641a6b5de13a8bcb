#include "batchscope/commands/flags.hpp"

#include <gtest/gtest.h>

#include "batchscope/base/result.hpp"
#include "command.hpp"

namespace batchscope::cli {
namespace {

using base::ErrorKind;
using base::Subject;

TEST(FlagOf, IsTheFlagThatSetsTheSubject) {
  EXPECT_EQ(commands::flag_of(Subject::seq_lens), "--seq-lens");
  EXPECT_EQ(commands::flag_of(Subject::exports), "--export");
  EXPECT_EQ(commands::flag_of(Subject::models), "-m");
  EXPECT_EQ(commands::flag_of(Subject::output), "-o");
}

TEST(FlagOf, SpellsWhatErrorsMention) {
  const base::Error error{ErrorKind::usage, "must be above 0", Subject::memory_limit,
                          "use " + mention(Subject::memory_limit) + " 8GiB"};
  EXPECT_EQ(base::to_string(error, commands::flag_of),
            "--memory-limit: must be above 0 (use --memory-limit 8GiB)");
}

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
