#include "batchscope/commandline/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace batchscope::commandline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

int bake(const std::vector<std::string>& arguments) {
  Command command("bake", "Bakes bread.");
  int exit = kDone;
  return command.parse(arguments, exit) ? 42 : exit;
}

int keep(const std::vector<std::string>& arguments) {
  Command command("recipe keep", "Keeps a recipe.");
  int exit = kDone;
  return command.parse(arguments, exit) ? 43 : exit;
}

constexpr std::array kRows{VerbRow{"bake", bake, "bakes bread"},
                           VerbRow{"recipe keep", keep, "keeps one"}, VerbRow{"hidden", bake, ""}};

constexpr Topics kTopics{[] {
                           return std::vector<std::string>{"yeast", "flour.rye"};
                         },
                         [](std::string_view name) {
                           return std::string(name == "flour.rye" ? "Rye\n\n  is dark.\n" : "");
                         }};

struct Answer {
  int code = 0;
  std::string out, err;
};

Answer answer(const std::vector<std::string>& arguments) {
  ProgramDescription about;
  about.name = "oven";
  about.version = "1.2";
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Answer made;
  made.code = run({about, kRows, [] { return std::string("mlp\n"); }, kTopics}, arguments);
  made.out = testing::internal::GetCapturedStdout();
  made.err = testing::internal::GetCapturedStderr();
  return made;
}

TEST(Run, CallsTheVerb) {
  EXPECT_EQ(answer({"bake"}).code, 42);
  EXPECT_EQ(answer({"hidden"}).code, 42);
}

TEST(Run, ListsTheVerbs) {
  for (const char* word : {"help", "--help", "-h"}) {
    const Answer made = answer({word});
    EXPECT_EQ(made.code, kDone);
    EXPECT_THAT(made.out, AllOf(HasSubstr("bake"), HasSubstr("completion"),
                                Not(HasSubstr("hidden")), Not(HasSubstr("complete "))));
  }
  EXPECT_EQ(answer({}).code, kUsage);
  EXPECT_EQ(answer({"--version"}).out, "oven 1.2\n");
}

TEST(Run, HelpsWithAVerb) {
  EXPECT_EQ(answer({"help", "bake"}).out, answer({"bake", "--help"}).out);
  EXPECT_THAT(answer({"help", "bake"}).out, HasSubstr("Bakes bread."));
  EXPECT_EQ(answer({"help", "bkae"}).code, kUsage);
  EXPECT_EQ(answer({"help", "help"}).out, answer({"help"}).out);
}

TEST(Run, HelpsWithATopic) {
  EXPECT_EQ(answer({"help", "flour.rye"}).out, "Rye\n\n  is dark.\n");
  const Answer slip = answer({"help", "flour.ry"});
  EXPECT_EQ(slip.code, kUsage);
  EXPECT_THAT(slip.err, HasSubstr("did you mean flour.rye?"));
  EXPECT_THAT(answer({"help", "bak"}).err, HasSubstr("did you mean bake?"));
  EXPECT_EQ(answer({"flour.rye"}).code, kUsage);
}

TEST(Run, AnUnknownVerbIsReportedWhatWasMeant) {
  const Answer made = answer({"bakke"});
  EXPECT_EQ(made.code, kUsage);
  EXPECT_THAT(made.err, HasSubstr("'bakke' is not a verb (did you mean bake?"));
}

TEST(Run, AVerbOfAGroupIsCalledByBothWords) {
  EXPECT_EQ(answer({"recipe", "keep"}).code, 43);
  EXPECT_THAT(answer({"help", "recipe", "keep"}).out, HasSubstr("Keeps a recipe."));
  EXPECT_EQ(answer({"help", "recipe", "keep"}).out, answer({"recipe", "keep", "-h"}).out);
  using Words = std::vector<std::string>;
  for (const Words& asked : {Words{"help", "recipe"}, Words{"recipe", "--help"}}) {
    const Answer made = answer(asked);
    EXPECT_EQ(made.code, kDone);
    EXPECT_THAT(made.out, AllOf(HasSubstr("recipe keep"), Not(HasSubstr("bakes bread"))));
  }
  EXPECT_EQ(answer({"recipe"}).code, kUsage);
  const Answer slip = answer({"recipe", "kep"});
  EXPECT_EQ(slip.code, kUsage);
  EXPECT_THAT(slip.err, HasSubstr("did you mean keep?"));
  EXPECT_THAT(answer({"recpe"}).err, HasSubstr("did you mean recipe?"));
}

TEST(Run, CompletesInThreeShells) {
  EXPECT_THAT(answer({"completion", "bash"}).out, HasSubstr("complete -F _oven oven"));
  EXPECT_EQ(answer({"completion", "tcsh"}).code, kUsage);
  EXPECT_EQ(answer({"complete", "bash", "completion", ""}).out, "bash\nzsh\nfish\n");
  EXPECT_EQ(answer({"complete", "tcsh", ""}).code, kUsage);
  EXPECT_EQ(answer({"complete"}).code, kUsage);
}

TEST(Run, DescribingPrintsNothing) {
  EXPECT_EQ(answer({"complete", "bash", "recipe", "keep", "--he"}).out, "--help\n--help-all\n");
}

}  // namespace
}  // namespace batchscope::commandline
