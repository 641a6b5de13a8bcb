#include "batchscope/commandline/completion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "batchscope/base/strings.hpp"
#include "some_parser.hpp"

namespace batchscope::commandline {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;

// How the scripts behave is tested by driving the shells: tests/e2e/program/test_completion.py.

std::vector<std::string> offered(Shell shell, std::vector<std::string> words) {
  const std::string lines = candidates(shell, some_program(), std::move(words),
                                       [] { return std::string("tin\nhf:stone\n"); });
  std::vector<std::string> made;
  for (const std::string_view line : base::split(lines, '\n')) {
    if (!line.empty()) made.emplace_back(line);
  }
  return made;
}

std::vector<std::string> in_bash(std::vector<std::string> words) {
  return offered(Shell::bash, std::move(words));
}

TEST(Completion, OffersEveryFlagOfAVerb) {
  const ProgramDescription program = some_program();
  std::vector<std::string> flags;
  for (const Flag& flag : program.verbs.front().flags) {
    if (!flag.positional) flags.insert(flags.end(), flag.names.begin(), flag.names.end());
  }
  EXPECT_EQ(in_bash({"bake", "-"}), flags);
  EXPECT_THAT(in_bash({"bake", "--mi"}), ElementsAre("--minutes"));
}

TEST(Completion, OffersVerbsAndThoseOfAGroupBehindItsName) {
  EXPECT_THAT(in_bash({}), ElementsAre("bake", "clean", "recipe", "help", "--help", "--version"));
  EXPECT_THAT(in_bash({"cl"}), ElementsAre("clean"));
  EXPECT_THAT(in_bash({"help", ""}), ElementsAre("bake", "clean", "recipe"));
  EXPECT_THAT(in_bash({"recipe", ""}), ElementsAre("keep", "clean", "--help"));
  EXPECT_THAT(in_bash({"no-verb", "-"}), IsEmpty());
}

TEST(Completion, OffersValuesByTheirKind) {
  EXPECT_THAT(in_bash({"bake", "--crust", ""}), ElementsAre("soft", "hard"));
  EXPECT_THAT(in_bash({"bake", "--crust", "=", "h"}), ElementsAre("hard"));
  EXPECT_THAT(in_bash({"bake", "--crust", "="}), ElementsAre("soft", "hard"));
  EXPECT_THAT(in_bash({"bake", "--flour", "rye,w"}), ElementsAre("rye,wheat"));
  EXPECT_THAT(in_bash({"bake", "--minutes", ""}), IsEmpty());
  EXPECT_THAT(in_bash({"bake", "-o", "a"}), ElementsAre("FILE"));
  EXPECT_THAT(in_bash({"bake", "-m", "t"}), ElementsAre("tin", "FILE"));
  EXPECT_THAT(in_bash({"bake", "--photos", "="}), ElementsAre("FOLDER"));
  EXPECT_THAT(in_bash({"bake", "--photos", ""}), ElementsAre("FILE")) << "the loaf";
}

TEST(Completion, TellsWhatEachDoesAsTheShellReadsIt) {
  EXPECT_THAT(offered(Shell::zsh, {""}), Contains("clean:cleans up: the oven's [floor]"));
  EXPECT_THAT(offered(Shell::zsh, {"bake", "-m", ""}), Contains("hf\\:stone"));
  EXPECT_THAT(offered(Shell::fish, {""}), Contains("clean\tcleans up: the oven's [floor]"));
  EXPECT_THAT(offered(Shell::fish, {"bake", "--"}),
              IsSupersetOf({"--flour\trye, wheat", "--crust\thow hard"}));
  EXPECT_THAT(offered(Shell::fish, {"bake", "--crust=h"}),
              ElementsAre("--crust=soft", "--crust=hard"));
}

TEST(Completion, AScriptIsAtMostTenLines) {
  for (const auto& [shell, name] : kShells) {
    const std::string script = completion_script(shell, "oven");
    EXPECT_LE(std::count(script.begin(), script.end(), '\n'), 10) << name;
    EXPECT_THAT(script, testing::HasSubstr("complete " + std::string(name) + " ")) << name;
  }
}

}  // namespace
}  // namespace batchscope::commandline
