#include <gmock/gmock.h>

#include "batchscope/base/subprocess.hpp"

namespace batchscope::base {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

Result<CommandResult> shell(const std::string& script, std::string_view input = "",
                            Nanoseconds timeout = 60s) {
  return run_command({"sh", "-c", script}, input, timeout);
}

TEST(FindProgram, SearchesThePath) {
  EXPECT_TRUE(find_program("sh")->is_absolute());
  EXPECT_EQ(*find_program("/bin/sh"), "/bin/sh");
  EXPECT_THAT(find_program("no-such-program").error().what, HasSubstr("no-such-program"));
  EXPECT_FALSE(find_program("/etc/passwd"));
  EXPECT_FALSE(find_program(""));
  EXPECT_FALSE(find_program("/"));
}

TEST(RunCommand, KeepsTheOutputsApart) {
  const auto result = shell("cat; echo bad >&2; exit 3", "in");
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_EQ(result->exit_code, 3);
  EXPECT_EQ(result->standard_output, "in");
  EXPECT_EQ(result->standard_error, "bad\n");
}

TEST(RunCommand, CarriesMoreThanAPipeHolds) {
  const std::string input(1'000'000, 'x');
  const auto result = shell("cat >&2; head -c 1000000 /dev/zero", input);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->standard_error, input);
  EXPECT_EQ(result->standard_output.size(), 1'000'000U);
}

TEST(RunCommand, LetsAProgramEndThatClosedItsOutputsFirst) {
  const auto result =
      shell("exec >&- 2>&-; i=0; while [ $i -lt 1000 ]; do i=$((i+1)); done; exit 5");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_code, 5);
}

TEST(RunCommand, KillsWhatDoesNotEnd) {
  EXPECT_THAT(shell("sleep 1000", "", 50ms).error().what, HasSubstr("in time"));
  EXPECT_THAT(shell("exec >&- 2>&-; exec sleep 1000", "", 50ms).error().what, HasSubstr("in time"));
  EXPECT_THAT(shell("cat /dev/zero").error().what, HasSubstr("64 MiB"));
}

TEST(RunCommand, ReportsSignalsAndMissingPrograms) {
  EXPECT_EQ(shell("kill -9 $$")->signal, 9);
  EXPECT_EQ(run_command({"no-such-program"}, "", 1s).error().kind, ErrorKind::failed);
  EXPECT_FALSE(run_command({}, "", 1s));
}

}  // namespace
}  // namespace batchscope::base
