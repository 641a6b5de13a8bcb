#include "batchscope/commandline/command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace batchscope::commandline {
namespace {

using testing::HasSubstr;

int runs = 0;

int count_loaves(const std::vector<std::string>& arguments) {
  int loaves = 0;
  Command command("count", "Counts loaves.");
  command.app().add_option("--loaves", loaves, "how many there are");
  command.usual({"--loaves"});
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  ++runs;
  return loaves;
}

TEST(Command, RunsWithItsFlags) {
  EXPECT_EQ(count_loaves({"--loaves", "5"}), 5);
}

TEST(Command, AnswersWithUsage) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(count_loaves({"--loavs", "5"}), kUsage);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("did you mean --loaves?"));
}

TEST(Command, ShowsHelp) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(count_loaves({"--help"}), kDone);
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("--loaves N"));
}

TEST(Command, AWrongFlagIsWrongBesideHelpToo) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(count_loaves({"--help", "--loavs", "5"}), kUsage);
  EXPECT_EQ(count_loaves({"--loavs", "--help-all"}), kUsage);
  EXPECT_EQ(count_loaves({"-x", "--help"}), kUsage);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  testing::internal::CaptureStdout();
  EXPECT_EQ(count_loaves({"rye", "--help"}), kDone);
  EXPECT_NE(testing::internal::GetCapturedStdout(), "");
}

TEST(Describe, CallsAVerbThatDoesNothingThen) {
  const int before = runs;
  const Verb verb = describe("count", "counts", count_loaves);
  EXPECT_EQ(runs, before);
  EXPECT_EQ(verb.name, "count");
  EXPECT_EQ(verb.tells, "counts");
  EXPECT_EQ(verb.description, "Counts loaves.");
  ASSERT_EQ(verb.flags.size(), 4u);
  EXPECT_EQ(verb.flags.front().name(), "--loaves");
  EXPECT_EQ(count_loaves({"--loaves", "2"}), 2) << "it runs again afterwards";
}

TEST(ExitCodes, FollowWhoHasToAct) {
  EXPECT_EQ(exit_code({base::ErrorKind::usage, ""}), 2);
  EXPECT_EQ(exit_code({base::ErrorKind::input, ""}), 3);
  EXPECT_EQ(exit_code({base::ErrorKind::failed, ""}), 1);
  EXPECT_EQ(exit_code({base::ErrorKind::interrupted, ""}), 130);
}

}  // namespace
}  // namespace batchscope::commandline
