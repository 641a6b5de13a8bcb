#include "shell_commands.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "batchscope/report/markdown.hpp"
#include "batchscope/report/text.hpp"
#include "measuring/profile_flags.hpp"
#include "testing/summaries/fixtures.hpp"
#include "tune/tune_flags.hpp"

namespace batchscope::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string shown(const findings::Summary& summary) {
  return report::text(summary, {}, shell_commands());
}

bool has_command(const std::string& text) {
  return std::regex_search(text, std::regex("batchscope [a-z]+ -"));
}

// A recommendation that is open, sizes to add, and more suspicions than are listed.
findings::Summary open_questions() {
  findings::Summary summary = fixtures::one_group();
  findings::Recommendation& pick = summary.recommendations.at(0);
  pick.config = summary.groups.at(0).rows.front().config;
  pick.undecided = true;
  pick.blocks_needed = 40;
  pick.larger_sizes = {128};
  findings::Finding suspicion = summary.findings.at(0);
  suspicion.status = findings::Status::suspect;
  for (int64_t size = 100; size < 120; ++size) {
    schema::RunConfig config = summary.groups.at(0).rows.front().config;
    config.shape.batch_size = size;
    suspicion.where = config;
    suspicion.batch_sizes = {size};
    summary.findings.push_back(suspicion);
  }
  return summary;
}

TEST(ShellCommands, AreWhatAReportHasCommandsFrom) {
  for (const findings::Summary& summary : {fixtures::seed_table(), open_questions()}) {
    EXPECT_FALSE(has_command(report::text(summary)));
    EXPECT_FALSE(has_command(report::markdown_report(summary, {})));
    EXPECT_TRUE(has_command(shown(summary)));
    EXPECT_TRUE(has_command(report::markdown_report(summary, {}, {.commands = shell_commands()})));
  }
}

TEST(ShellCommands, MeasureTheSizesOfATableTogether) {
  EXPECT_THAT(shown(fixtures::one_group()),
              HasSubstr("batchscope profile -m distilbert -b 1,2,3,4,6,8 --seq-lens 64 "
                        "--precision fp32 --device cpu --threads 2 "
                        "-o results/batch_profile_controls.jsonl\n"));
}

TEST(ShellCommands, SurviveAShell) {
  EXPECT_THAT(shown(fixtures::hostile()),
              HasSubstr("profile -m 'red|<script>alert(1)</script>`reboot`$(reboot)'\\''\"\\n"));
}

TEST(ShellCommands, NameTheEnginesOwnFileAndItsInputs) {
  findings::Summary summary = fixtures::one_group();
  summary.groups.front().key.engine = "openvino";
  summary.inputs.front().models = {
      {"distilbert", "a.pt", {}, {}, "", "", "torch"},
      {"distilbert", "a.xml", {"ids:BxS:int64"}, {}, "", "", "openvino"},
  };
  EXPECT_THAT(shown(summary), HasSubstr("batchscope profile -m a.xml --input ids:BxS:int64 "
                                        "-b 1,2,3,4,6,8 --engine openvino"));
}

TEST(ShellCommands, AskForAPipelineAsItsFlagsDo) {
  findings::Measurement wanted{.model = "bert", .batch_sizes = {8}, .run = "r.jsonl"};
  wanted.setting.engine = "torch";
  wanted.setting.environment = {{"OMP_PLACES", "{0},{1}"}};
  wanted.setting.pipeline = schema::TextPipeline{.tokenizer = "t.json", .normalize = false};
  const findings::CommandLine words = shell_commands().measure(wanted);
  EXPECT_THAT(words, ::testing::IsSupersetOf({"--pipeline", "embed", "--tokenizer", "t.json",
                                              "--env", "OMP_PLACES={0}\\,{1}"}));
  const auto plain = std::find(words.begin(), words.end(), "--no-normalize");
  ASSERT_NE(plain, words.end());
  EXPECT_TRUE((plain + 1)->starts_with("-")) << "it takes no value";
}

TEST(ShellCommands, HaveTheBlocksThatWouldTell) {
  EXPECT_THAT(shown(open_questions()), HasSubstr(" --blocks 40\n"));
  EXPECT_THAT(shown(open_questions()), HasSubstr(",128 "));
  EXPECT_THAT(shown(open_questions()), HasSubstr("--format json lists all"));
}

TEST(ShellCommands, SettleATableThatWasMeasuredElsewhere) {
  const std::string result = shown(fixtures::seed_table());
  EXPECT_THAT(result, HasSubstr("batchscope profile -m distilbert -b 1,2,3,4,6,8"));
  EXPECT_THAT(result, HasSubstr("batchscope import table.csv -o run.jsonl --overwrite"));
}

TEST(ShellCommands, LookForCausesInARunBesideTheFirst) {
  schema::Header header;
  header.command_line = {"batchscope", "profile", "-m", "mlp", "-o", "out/a.jsonl", "--overwrite"};
  EXPECT_THAT(
      shell_commands().diagnose(header),
      ElementsAre("batchscope", "profile", "-m", "mlp", "-o", "out/a_why.jsonl", "--diagnose"));
  header.command_line = {"batchscope", "profile", "-m", "mlp"};
  EXPECT_THAT(shell_commands().diagnose(header),
              ElementsAre("batchscope", "profile", "-m", "mlp", "-o", "batch_profile_why.jsonl",
                          "--diagnose"));
  header.command_line = {"batchscope", "import"};
  EXPECT_THAT(shell_commands().diagnose(header), IsEmpty());
}

TEST(ShellCommands, MeasureTheSameAgainWithOtherSizesOrBlocks) {
  schema::Header header;
  header.command_line = {"batchscope", "profile", "--batch-sizes=1,2", "-m", "a",
                         "-m",         "b",       "--blocks",          "4",  "-o",
                         "r/x.jsonl"};
  EXPECT_THAT(shell_commands().again({header, {1, 2, 4}, 30}),
              ElementsAre("batchscope", "profile", "-m", "a", "-m", "b", "-o", "r/x_more.jsonl",
                          "-b", "1,2,4", "--blocks", "30"));
  EXPECT_THAT(shell_commands().again({header}),
              ElementsAre("batchscope", "profile", "--batch-sizes=1,2", "-m", "a", "-m", "b",
                          "--blocks", "4", "-o", "r/x_more.jsonl"));
  header.command_line = {"batchscope", "profile", "-m", "a", "--budget", "1s", "--iterations=9"};
  EXPECT_THAT(shell_commands().again({header, {}, 30, 20, 700}),
              ElementsAre("batchscope", "profile", "-m", "a", "-o", "batch_profile_more.jsonl",
                          "--blocks", "30", "--min-visit-time", "20s", "--budget", "700s"));
  header.command_line = {"batchscope", "tune", "-m", "a"};
  EXPECT_THAT(shell_commands().again({header, {}, 30}),
              ElementsAre("batchscope", "tune", "-m", "a", "-o", "tune_more.jsonl",
                          "--verify-blocks", "30"));
  header.command_line = {"batchscope", "import", "t.csv"};
  EXPECT_THAT(shell_commands().again({header}), IsEmpty());
}

struct ShortFlag {
  std::string name;
  bool takes_a_value = false;
};

std::vector<ShortFlag> short_flags_of(const CLI::App& app) {
  std::vector<ShortFlag> flags;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_snames()) {
      if (name != "h") flags.push_back({name, option->get_items_expected_max() > 0});
    }
  }
  return flags;
}

std::vector<ShortFlag> short_flags_of(const std::string& verb) {
  CLI::App app;
  ProfileFlags profile;
  TuneFlags tune;
  if (verb == "tune") {
    add_tune_flags(app, tune);
  } else {
    add_flags(app, profile);
  }
  return short_flags_of(app);
}

findings::CommandLine again_after(const findings::CommandLine& typed) {
  schema::Header header;
  header.command_line = typed;
  return shell_commands().again({header, {1, 2}, 3});
}

// However a flag with a short form is typed, it is taken for that flag.
TEST(ShellCommands, KnowTheShortFlagsHoweverTheyAreTyped) {
  for (const char* verb : {"profile", "tune"}) {
    const std::vector<ShortFlag> flags = short_flags_of(verb);
    ASSERT_GE(flags.size(), 4U);
    for (const ShortFlag& flag : flags) {
      if (!flag.takes_a_value) {
        EXPECT_EQ(flag.name, "q") << "set_apart() knows this one alone";
        continue;
      }
      const findings::CommandLine apart =
          again_after({"batchscope", verb, "-q", "-" + flag.name, "a.x"});
      EXPECT_EQ(again_after({"batchscope", verb, "-q", "-" + flag.name + "a.x"}), apart);
      EXPECT_EQ(again_after({"batchscope", verb, "-q" + flag.name + "a.x"}), apart);
      EXPECT_EQ(again_after({"batchscope", verb, "-q" + flag.name, "a.x"}), apart);
    }
  }
}

TEST(ShellCommands, WaitForAQuietMachineWhereThatIsAskedFor) {
  schema::Header header;
  header.command_line = {"batchscope", "profile",          "-m", "a", "-o",
                         "x.jsonl",    "--wait-for-quiet", "5s"};
  findings::Again wanted{header};
  wanted.waits_for_quiet = true;
  EXPECT_THAT(shell_commands().again(wanted),
              ElementsAre("batchscope", "profile", "-m", "a", "-o", "x_more.jsonl",
                          "--wait-for-quiet", "60s"));
}

TEST(ShellCommands, GoOnWithARunByItsFile) {
  schema::Header header;
  header.command_line = {"batchscope", "profile", "-m", "a", "--output", "r/x.jsonl"};
  EXPECT_THAT(shell_commands().resume({header}),
              ElementsAre("batchscope", "profile", "--on-existing", "resume", "-o", "r/x.jsonl"));
  header.command_line = {"batchscope", "tune", "--max-batch-only", "-m", "a"};
  EXPECT_THAT(shell_commands().resume({header}),
              ElementsAre("batchscope", "tune", "--max-batch-only", "--on-existing", "resume", "-o",
                          "max-batch.jsonl"));
  EXPECT_THAT(shell_commands().resume({header, "moved/y.jsonl"}).back(), "moved/y.jsonl");
  header.command_line = {};
  EXPECT_THAT(shell_commands().resume({header}), IsEmpty());
}

TEST(ShellCommands, MakeTheReportAgain) {
  EXPECT_THAT(shell_commands().report({"a.jsonl", "b.jsonl"}),
              ElementsAre("batchscope", "report", "a.jsonl", "b.jsonl", "-o", "report.html"));
}

}  // namespace
}  // namespace batchscope::cli
