#include "batchscope/commandline/completion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "some_parser.hpp"

namespace batchscope::commandline {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// How the scripts behave is tested by driving the shells: tests/e2e/test_completion.py.

TEST(Completion, EveryShellKnowsEveryFlag) {
  const Program program = some_program();
  for (const auto& [shell, name] : kShells) {
    const std::string script = completion_script(shell, program);
    for (const Verb& verb : program.verbs) {
      for (const Flag& flag : verb.flags) {
        if (flag.positional) continue;
        const std::string word = shell == Shell::fish ? flag.name().substr(2) : flag.name();
        EXPECT_THAT(script, HasSubstr(word)) << name;
      }
    }
    EXPECT_THAT(script, AllOf(HasSubstr("clean"), HasSubstr("completion models"))) << name;
  }
}

TEST(Completion, VerbsOfAGroupFollowItsName) {
  const std::string bash = completion_script(Shell::bash, some_program());
  EXPECT_THAT(bash, AllOf(HasSubstr("_oven_offer bake clean recipe help"),
                          HasSubstr("_oven_offer keep clean --help"), HasSubstr("'recipe keep')")));
  const std::string zsh = completion_script(Shell::zsh, some_program());
  EXPECT_THAT(zsh, AllOf(HasSubstr("'recipe:keep, clean'"), HasSubstr("'keep:keeps one'")));
  const std::string fish = completion_script(Shell::fish, some_program());
  EXPECT_THAT(fish, AllOf(HasSubstr("'__fish_seen_subcommand_from recipe; and not "
                                    "__fish_seen_subcommand_from keep clean' -a keep"),
                          HasSubstr("-a recipe -d 'keep, clean'")));
}

TEST(Completion, QuotesWhatAShellWouldRead) {
  const std::string zsh = completion_script(Shell::zsh, some_program());
  EXPECT_THAT(zsh, HasSubstr("'clean:cleans up\\: the oven'\\''s \\[floor\\]'"));
  const std::string fish = completion_script(Shell::fish, some_program());
  EXPECT_THAT(fish, HasSubstr("'cleans up: the oven\\'s [floor]'"));
}

}  // namespace
}  // namespace batchscope::commandline
