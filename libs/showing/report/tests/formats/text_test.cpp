#include "batchscope/report/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "approval/approval.hpp"
#include "batchscope/base/characters.hpp"
#include "testing/summaries/fixtures.hpp"

namespace batchscope::report {
namespace {

using base::clean;
using document::Extent;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t widest(const std::string& text) {
  std::size_t width = 0;
  for (const std::string& line : lines_of(text)) {
    width = std::max(width, base::display_width(line));
  }
  return width;
}

TEST(Text, TellsTheMemoryLawsAmongTheFactsOfATable) {
  findings::Summary summary = fixtures::one_group();
  findings::MemoryLaw allocated, reserved;
  allocated.of = findings::MemoryPeak::allocated;
  allocated.message = "1.00 MiB + 2.00 KiB per sample.";
  reserved.of = findings::MemoryPeak::reserved;
  reserved.message = "3.00 MiB, whatever the batch.";
  summary.groups[0].memory_laws = {allocated, reserved};
  const std::string page = text(summary, {.width = 160});
  EXPECT_THAT(page, HasSubstr("memory            1.00 MiB + 2.00 KiB per sample."));
  EXPECT_THAT(page, HasSubstr("memory, reserved  3.00 MiB, whatever the batch."));
}

TEST(Text, Approved) {
  approval::expect_approved("seed.txt", text(fixtures::seed_table()));
  approval::expect_approved("one_group.txt", text(fixtures::one_group()));
  approval::expect_approved("three_groups.txt", text(fixtures::three_groups()));
  approval::expect_approved("single_size.txt", text(fixtures::single_size()));
  approval::expect_approved("many_sizes.txt", text(fixtures::many_sizes()));
  approval::expect_approved("one_group_wide.txt", text(fixtures::one_group(), {.width = 160}));
  approval::expect_approved("one_group_narrow_ascii.txt",
                            text(fixtures::one_group(), {.width = 80, .ascii = true}));
}

TEST(Text, HasTheMeanBesideTheTypicalIterationWhereTheyDiffer) {
  findings::Summary summary = fixtures::one_group();
  EXPECT_THAT(text(summary), Not(HasSubstr("mean = all iterations")));
  findings::ConfigRow& row = summary.groups[0].rows[0];
  row.mean_ms = {1.1 * row.time_ms.value, std::nullopt};
  row.slow_share = 0.25;
  EXPECT_THAT(text(summary),
              ::testing::AllOf(HasSubstr("mean = all iterations"), HasSubstr("25 %")));
}

TEST(Text, TellsTheUntestedSizesAndThoseSetAside) {
  findings::Summary summary = fixtures::one_group();
  findings::Group& group = summary.groups[0];
  group.untested_sizes = {4};
  group.set_aside = {{group.rows[0].config, findings::LeftOutReason::out_of_memory}};
  EXPECT_THAT(text(summary),
              ::testing::AllOf(HasSubstr("untested sizes"), HasSubstr("out of memory repeatedly")));
}

TEST(Text, TellsWhichSizesTieForTheBest) {
  findings::Summary summary = fixtures::one_group();
  EXPECT_THAT(text(summary), ::testing::AllOf(HasSubstr("4 (all other tested sizes are slower"),
                                              Not(HasSubstr("knee"))));
  summary.groups[0].best_sizes = {4, 8};
  EXPECT_THAT(text(summary), ::testing::AllOf(HasSubstr("4, 8 (no significant difference)"),
                                              HasSubstr("4 (the smallest of the best sizes)")));
}

TEST(Text, AGainWithoutAnIntervalSaysWhy) {
  findings::Summary summary = fixtures::one_group();
  ASSERT_TRUE(summary.recommendations.at(0).gain);
  EXPECT_THAT(text(summary, {.width = 160}), Not(HasSubstr("no CI")));
  summary.recommendations[0].gain->ci.reset();
  EXPECT_THAT(text(summary, {.width = 160}), HasSubstr("(no CI: one number each)"));
}

TEST(Text, TellsHowToSettleAnOpenRecommendation) {
  findings::Summary summary = fixtures::one_group();
  findings::Recommendation& pick = summary.recommendations.at(0);
  pick.undecided = true;
  pick.unconfirmed_best = summary.groups[0].rows.back().config;
  pick.config = summary.groups[0].rows.front().config;
  pick.blocks_needed = 40;
  const findings::Commands commands = fixtures::commands();
  EXPECT_THAT(text(summary, {}, commands), HasSubstr("8 blocks=40 into results/"));
  pick.undecided = false;
  pick.unconfirmed_best.reset();
  pick.larger_sizes = {128};
  EXPECT_THAT(text(summary, {}, commands), HasSubstr(" 128 into results/"));
}

findings::Summary answered() {
  findings::Summary summary = fixtures::one_group();
  summary.answer.headline = "Use batch 4";
  summary.answer.confidence = findings::Confidence::shown;
  summary.answer.sure = "by 12 visits per size";
  summary.answer.next = "Hold it against separate visits.";
  summary.answer.command = "again " + std::string(150, 'x');
  put_lines(summary.answer);
  return summary;
}

TEST(Text, LeadsWithTheAnswerAndTellsTheRestWhereItIsAsked) {
  const findings::Summary summary = answered();
  const std::string brief = text(summary, {.extent = Extent::answer});
  EXPECT_EQ(brief,
            "Use batch 4.\nSignificant: by 12 visits per size.\nNext: Hold it against separate "
            "visits:\n  " +
                summary.answer.command + "\n");
  const std::string usual = text(summary, {.extent = Extent::usual});
  const std::string all = text(summary, {.extent = Extent::all});
  EXPECT_TRUE(usual.starts_with(brief) && all.starts_with(brief));
  EXPECT_THAT(usual, ::testing::AllOf(HasSubstr("p99"), HasSubstr("slow, proven"),
                                      Not(HasSubstr("In short")), Not(HasSubstr("Phases"))));
  EXPECT_THAT(all, ::testing::AllOf(HasSubstr("In short"), HasSubstr("law ")));
}

TEST(Text, IsGreenForWhatIsShownAlone) {
  findings::Summary summary = answered();
  const document::TextStyle style{.colour = true, .extent = Extent::answer};
  EXPECT_TRUE(text(summary, style).starts_with("\x1b[32mUse"));
  for (const auto open : {findings::Confidence::suspected, findings::Confidence::cannot_tell}) {
    summary.answer.confidence = open;
    EXPECT_THAT(text(summary, style), Not(HasSubstr("\x1b[32m")));
  }
}

TEST(Text, CallsNoSizeTheBestWhereThatIsOpen) {
  findings::Summary summary = fixtures::one_group();
  EXPECT_THAT(text(summary), HasSubstr(", best"));
  summary.groups[0].is_open = true;
  for (const Extent extent : {Extent::usual, Extent::all}) {
    EXPECT_THAT(text(summary, {.extent = extent}),
                ::testing::AllOf(Not(HasSubstr(", best")), Not(HasSubstr("best sizes"))));
  }
}

TEST(Text, MarksAQuantileThatNothingSupportsFor) {
  findings::Summary summary = fixtures::one_group();
  findings::Distribution& first = summary.groups[0].rows.front().distribution;
  first.p99_ms.reset();
  first.samples_ms = {1, 2, 3};
  EXPECT_THAT(text(summary, {.extent = Extent::usual}),
              ::testing::AllOf(HasSubstr("~2.98"), HasSubstr("~: too few samples")));
}

TEST(AnswerText, BreaksItsLinesAndGoesOnIndented) {
  findings::Answer answer;
  answer.command = "a command that is pasted as it stands, however long it is";
  answer.lines = {"one two three four five six seven eight nine ten eleven twelve", "short",
                  "  " + answer.command};
  EXPECT_EQ(answer_text(answer, {.width = 40}),
            "one two three four five six seven eight\n  nine ten eleven twelve\nshort\n  " +
                answer.command + "\n");
  EXPECT_EQ(answer_text(answer, {.width = 200, .answer_width = 40}),
            answer_text(answer, {.width = 40}));
  EXPECT_EQ(answer_text({}), "");
}

TEST(Text, StaysWithinItsWidth) {
  for (const int width : {60, 80, 100, 110, 160}) {
    EXPECT_LE(widest(text(fixtures::three_groups(), {.width = width})),
              static_cast<std::size_t>(width));
    EXPECT_LE(widest(text(fixtures::many_sizes(), {.width = width})),
              static_cast<std::size_t>(width));
  }
}

TEST(Text, AsciiHasNothingElse) {
  const std::string result = text(fixtures::three_groups(), {.ascii = true});
  EXPECT_TRUE(std::all_of(result.begin(), result.end(),
                          [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7F); }));
}

TEST(Text, ColourSaysNothingThatTheWordsDoNot) {
  const std::string coloured = text(fixtures::three_groups(), {.colour = true});
  const std::string bare = text(fixtures::three_groups());
  EXPECT_THAT(coloured, HasSubstr("\x1b[1;31mslow, proven\x1b[0m"));
  std::string stripped;
  for (const std::string& line : lines_of(coloured)) stripped += clean(line) + "\n";
  EXPECT_EQ(stripped, bare);
  EXPECT_THAT(bare, Not(HasSubstr("\x1b")));
}

TEST(Text, HostileNamesReachTheTerminalAsPlainCharacters) {
  const std::string result = text(fixtures::hostile());
  for (const std::string& line : lines_of(result)) EXPECT_EQ(line, clean(line));
  EXPECT_THAT(result, HasSubstr("red|<script>"));
  EXPECT_EQ(lines_of(text(fixtures::hostile(), {.colour = true})).size(), lines_of(result).size());
}

TEST(Text, AProposedCommandSurvivesAShellAndIsNeverWrapped) {
  findings::Summary summary = fixtures::one_group();
  EXPECT_THAT(text(summary, {.width = 60}, fixtures::commands()),
              HasSubstr("measure distilbert 1 2 3 4 6 8 into "
                        "results/batch_profile_controls.jsonl\n"));
  EXPECT_THAT(text(fixtures::hostile(), {}, fixtures::commands()),
              HasSubstr("measure 'red|<script>alert(1)</script>`reboot`$(reboot)'\\''\"\\n"));
}

TEST(Text, TheCommandForControlsNamesTheEnginesOwnFile) {
  findings::Summary summary = fixtures::one_group();
  summary.groups.front().key.engine = "openvino";
  summary.inputs.front().models = {
      {"distilbert", "a.pt", {}, {}, "", "", "torch"},
      {"distilbert", "a.xml", {}, {}, "", "", "openvino"},
  };
  EXPECT_THAT(text(summary, {}, fixtures::commands()), HasSubstr("measure a.xml 1 2 3 4 6 8"));
}

TEST(Text, NumbersMeasuredElsewhereGetWhatWouldSettleThem) {
  EXPECT_THAT(text(fixtures::seed_table()), HasSubstr("sizes 3 and 6 too.\n"));
  const std::string result = text(fixtures::seed_table(), {}, fixtures::commands());
  EXPECT_THAT(result, HasSubstr("file after -m if it is not built in):\n"));
  EXPECT_THAT(result, HasSubstr("measure distilbert 1 2 3 4 6 8"));
  EXPECT_THAT(result, HasSubstr("import run.jsonl"));
}

TEST(Text, SaysThatATableHasNoRepeats) {
  EXPECT_THAT(text(fixtures::seed_table()), HasSubstr("Too few visits to test differences."));
}

TEST(Text, FindingsOfASweepThatIsInTwoFilesAreListedOnce) {
  findings::Summary summary = fixtures::one_group();
  summary.groups.push_back(summary.groups.front());
  const std::string result = text(summary);
  const std::size_t first = result.find("MEDIUM, proven");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(result.find("MEDIUM, proven", first + 1), std::string::npos);
  // Under neither sweep, because a finding does not say which file it is about.
  EXPECT_THAT(result, HasSubstr("\nFindings\n────────\n"));
}

TEST(Text, NothingMeasuredIsNoCrash) {
  EXPECT_EQ(text({}), "");
}

}  // namespace
}  // namespace batchscope::report
