#include "batchscope/commandline/help.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "some_parser.hpp"

namespace batchscope::commandline {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> names_in_order() {
  std::vector<std::string> names;
  const ProgramDescription program = some_program();
  for (const Flag& flag : program.verbs.front().flags) names.push_back(flag.name());
  return names;
}

TEST(FlagsOf, ArgumentsThenUsualOnesThenGroupsThenTheRest) {
  EXPECT_THAT(names_in_order(),
              ElementsAre("LOAF", "--output", "--flour", "--crust", "--salt", "--minutes", "--fan",
                          "--fan-speed", "--mould", "--photos", "--help"));
}

TEST(FlagsOf, SayWhatTheyTake) {
  const auto flags = some_program().verbs.front().flags;
  const auto flag = [&](const std::string& name) {
    for (const Flag& each : flags) {
      if (each.name() == name) return each;
    }
    ADD_FAILURE() << name;
    return Flag();
  };
  EXPECT_EQ(flag("LOAF").kind, ValueKind::file);
  EXPECT_TRUE(flag("LOAF").repeats);
  EXPECT_THAT(flag("--flour").choices, ElementsAre("rye", "wheat", "spelt"));
  EXPECT_TRUE(flag("--flour").repeats);
  EXPECT_THAT(flag("--crust").choices, ElementsAre("soft", "hard"));
  EXPECT_FALSE(flag("--crust").repeats);
  EXPECT_EQ(flag("--minutes").value, "N");
  EXPECT_EQ(flag("--fan-speed").value, "X");
  EXPECT_EQ(flag("--fan").kind, ValueKind::none);
  EXPECT_EQ(flag("--output").kind, ValueKind::file);
  EXPECT_EQ(flag("--mould").kind, ValueKind::model);
  EXPECT_TRUE(flag("--photos").value_optional);
  EXPECT_EQ(flag("--photos").kind, ValueKind::folder);
  EXPECT_TRUE(flag("--salt").required);
}

TEST(Help, LinesAreBrokenBetweenWords) {
  EXPECT_EQ(broken_lines("## rye\n\nIt is dark, and sour too.\n", 24),
            "## rye\n\nIt is dark, and sour\ntoo.\n");
}

TEST(Help, IsUnderHeadings) {
  const ProgramDescription program = some_program();
  const std::string text = help_text(program, program.verbs.front());
  EXPECT_THAT(text, HasSubstr("Usage: oven bake [LOAF...] --salt X [flags]\n\nBakes bread"));
  EXPECT_THAT(text, HasSubstr("\nUsual flags:\n  -o, --output FILE             where it's put\n"));
  EXPECT_THAT(text, HasSubstr("\nDough:\n      --crust soft|hard         how hard"));
  EXPECT_THAT(text, HasSubstr("      --photos[=FOLDER]  "));
  EXPECT_THAT(text, HasSubstr("\nOther flags:\n  -h, --help  "));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
}

Verb with_many_flags() {
  Verb verb = some_program().verbs.front();
  for (std::size_t i = verb.flags.size(); i <= kMostFlags; ++i) {
    verb.flags.push_back({.names = {fmt::format("--spice-{}", i)}, .group = "Spices"});
  }
  return verb;
}

TEST(ShortHelp, HasTheUsualFlagsAClauseEachAndSaysWhereTheOthersAre) {
  constexpr FlagGroup kGroups[] = {{"dough", "Dough"}, {"ice", "Ice"}, {"spices", "Spices"}};
  ProgramDescription program = some_program();
  program.groups = kGroups;
  Verb verb = with_many_flags();
  verb.examples = {"oven bake rye.loaf"};
  EXPECT_EQ(short_help(program, verb),
            "Usage: oven bake [LOAF...] --salt X [flags]\n\nBakes bread, one loaf at a time.\n\n"
            "  LOAF...                       what to bake\n"
            "  -o, --output FILE             where it's put\n"
            "  -f, --flour rye|wheat|spelt   rye, wheat\n\n"
            "Examples:\n  oven bake rye.loaf\n\n"
            "All 21 flags: oven bake --help-all. One group: oven help dough|spices.\n");
}

TEST(ShortHelp, OfFewFlagsIsAllOfIt) {
  const ProgramDescription program = some_program();
  const Verb& verb = program.verbs.front();
  EXPECT_EQ(short_help(program, verb), help_text(program, verb));
}

TEST(FlagGroupHelp, ShowsFlagsOnceForTheVerbsThatTakeThem) {
  ProgramDescription program = some_program();
  program.verbs[1].flags = program.verbs[0].flags;
  const std::string text = flag_group_help(program, {"dough", "Dough"});
  EXPECT_THAT(text, HasSubstr("Dough (bake, clean):\n"));
  EXPECT_THAT(text, AllOf(HasSubstr("--flour"), HasSubstr("--salt"), Not(HasSubstr("--fan"))));
  program.verbs[1].flags.pop_back();
  program.verbs[1].flags.erase(program.verbs[1].flags.begin() + 2);
  EXPECT_THAT(flag_group_help(program, {"dough", "Dough"}),
              AllOf(HasSubstr("Dough (bake):\n"), HasSubstr("\nDough (clean):\n")));
}

TEST(Help, IsAsWideAsItMayBe) {
  const ProgramDescription program = some_program();
  const std::string text = help_text(program, program.verbs.front(), {60, true});
  std::size_t begin = 0;
  for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    EXPECT_LE(end - begin, 60u + 8u) << text.substr(begin, end - begin);  // with the colour's codes
    begin = end + 1;
  }
  EXPECT_THAT(text, HasSubstr("\033[1mDough:\033[0m"));
}

TEST(Overview, ListsTheVerbs) {
  const std::string text = overview(some_program());
  EXPECT_THAT(text, HasSubstr("oven 1.2: bake what is put in\n\nUsage: oven VERB"));
  EXPECT_THAT(text, HasSubstr("\n  bake          bakes bread\n  clean         cleans up"));
  EXPECT_THAT(text, HasSubstr("\n  recipe keep   keeps one\n"));
  EXPECT_THAT(text, HasSubstr("  oven bake rye.loaf --salt 3\n"));
}

TEST(Overview, OfAGroupListsItsOwn) {
  EXPECT_EQ(group_overview(some_program(), "recipe"),
            "Usage: oven recipe VERB [flags]     (oven help recipe VERB lists the flags)\n\n"
            "  recipe keep   keeps one\n  recipe clean  forgets all\n");
}

}  // namespace
}  // namespace batchscope::commandline
