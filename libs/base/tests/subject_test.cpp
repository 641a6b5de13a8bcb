#include "batchscope/base/subject.hpp"

#include <gtest/gtest.h>

#include <set>

#include "batchscope/base/result.hpp"
#include "batchscope/base/said.hpp"

namespace batchscope::base {
namespace {

constexpr auto kLast = static_cast<int>(Subject::warmup);

std::string as_flag(Subject subject) {
  return "--" + name_of(subject);
}

TEST(Subject, EachHasANameOfItsOwnThatIsFoundAgain) {
  std::set<std::string> names;
  for (int i = 1; i <= kLast; ++i) {
    const auto subject = static_cast<Subject>(i);
    const std::string name = name_of(subject);
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), name.npos) << name;
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(spell(mention(subject)), name);
  }
  EXPECT_EQ(name_of(Subject::seq_lens), "seq_lens");
  EXPECT_EQ(name_of(Subject::unit), "unit");
  EXPECT_EQ(name_of(Subject::none), "");
}

TEST(Spell, WritesAMentionAsTheReaderDoes) {
  const std::string text =
      "use " + mention(Subject::mode) + " infer, or " + mention(Subject::engine) + " torch";
  EXPECT_EQ(spell(text, as_flag), "use --mode infer, or --engine torch");
  EXPECT_EQ(spell(text), "use mode infer, or engine torch");
  EXPECT_EQ(spell(mention(Subject::mode) + mention(Subject::engine), as_flag), "--mode--engine");
}

TEST(Said, IsTheSameTextMadeWhenCompiling) {
  constexpr std::string_view text =
      said<"use {} or {}, {{}", Subject::mode, Subject::seq_lens, Subject::p99>;
  EXPECT_EQ(text, "use " + mention(Subject::mode) + " or " + mention(Subject::seq_lens) + ", {" +
                      mention(Subject::p99));
  EXPECT_EQ((said<"nothing">), "nothing");
}

TEST(Spell, LeavesAloneWhatIsNoMention) {
  for (const char* text : {"", "plain", "\u2063", "\u2063mode", "a \u2063 b \u2063 c",
                           "\u2063\u2063", "\u2063strange\u2063"}) {
    EXPECT_EQ(spell(text, as_flag), text);
  }
  EXPECT_EQ(spell("\u2063x\u2063mode\u2063", as_flag), "\u2063x--mode");
}

TEST(Spell, IsTheSameWhenDoneTwice) {
  const std::string once = spell("use " + mention(Subject::mode), as_flag);
  EXPECT_EQ(spell(once), once);
}

TEST(ErrorOfASubject, NamesItWhereNoPlaceIsNamed) {
  const Error error(ErrorKind::usage, "is odd", Subject::mode, "use " + mention(Subject::engine));
  EXPECT_EQ(error.where, "");
  EXPECT_EQ(to_string(error), "mode: is odd (use engine)");
  EXPECT_EQ(to_string(error, as_flag), "--mode: is odd (use --engine)");
  const Error placed(ErrorKind::usage, "is odd", "file:3", "", Subject::mode);
  EXPECT_EQ(to_string(placed, as_flag), "file:3: is odd");
}

}  // namespace
}  // namespace batchscope::base
