#include "batchscope/charts/charts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "batchscope/planning/plan.hpp"
#include "testing/summaries/answered.hpp"
#include "testing/summaries/fixtures.hpp"
#include "testing/summaries/tuned.hpp"

namespace batchscope::charts {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

class Charts : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "batchscope-charts-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  // The names of the files in the folder, and that they are what write_charts says it wrote.
  std::set<std::string> draw(const findings::Summary& summary, const fs::path& folder,
                             const std::string& converter = "no-such-converter") {
    const auto files = write_charts(summary, folder, {.converter = converter});
    EXPECT_TRUE(files) << to_string(files.error());
    std::set<std::string> names;
    if (!files) return names;
    for (const fs::path& file : *files) {
      EXPECT_EQ(file.parent_path(), folder);
      const std::string content = content_of(file);
      EXPECT_EQ(content.substr(0, 5), "<svg ") << file;
      EXPECT_THAT(content, HasSubstr("</svg>")) << file;
      names.insert(file.filename());
    }
    return names;
  }

  std::string program(const std::string& commands) {
    const fs::path path = folder_ / "converter";
    std::ofstream(path) << "#!/bin/sh\n" << commands << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }

  fs::path folder_;
};

const std::set<std::string> kAll = {"answer.svg",
                                    "forward_pass_boxplot.svg",
                                    "forward_pass_efficiency.svg",
                                    "forward_pass_time.svg",
                                    "forward_time_per_sample.svg",
                                    "memory.svg",
                                    "relative_slowdown.svg",
                                    "residual.svg",
                                    "throughput.svg",
                                    "time_breakdown.svg"};

std::set<std::string> all_without(const std::vector<std::string>& charts) {
  std::set<std::string> names = kAll;
  for (const std::string& chart : charts) {
    names.erase(chart + ".svg");
  }
  return names;
}

TEST_F(Charts, AreAllDrawnForAnyShapeOfRun) {
  EXPECT_EQ(draw(fixtures::one_group(), folder_ / "one"), kAll);
  EXPECT_EQ(draw(fixtures::three_groups(), folder_ / "three"), kAll);
  EXPECT_EQ(draw(fixtures::single_size(), folder_ / "single"), all_without({"answer", "residual"}));
  // No law was fitted to these.
  EXPECT_EQ(draw(fixtures::many_sizes(), folder_ / "many"), all_without({"residual"}));
}

TEST_F(Charts, WithoutDataAreLeftOut) {
  const auto names = draw(fixtures::seed_table(), folder_);
  EXPECT_EQ(names.size(), 6u);
  EXPECT_EQ(names.count("memory.svg"), 0u);
  EXPECT_EQ(names.count("forward_pass_boxplot.svg"), 0u);
}

TEST_F(Charts, OfAnEarlierAnalysisAreRemoved) {
  draw(fixtures::one_group(), folder_);
  std::ofstream(folder_ / "mine.png") << "keep";
  draw(fixtures::seed_table(), folder_);
  EXPECT_FALSE(fs::exists(folder_ / "memory.svg"));
  EXPECT_TRUE(fs::exists(folder_ / "mine.png"));
}

TEST_F(Charts, ShowTheNumbersAndTheConfiguration) {
  draw(fixtures::answered(), folder_);
  const std::string time = content_of(folder_ / "forward_pass_time.svg");
  for (const char* label :
       {">An iteration takes 36.1 ms at batch 1, 291 ms at batch 8<",
        ">Time of one iteration; distilbert, 64 tokens, fp32, cpu, 2 threads<", ">36.12<",
        ">67.31<", ">129.9<", ">291.4<", ">+12 %, proven<", ">best<", ">time (ms)<",
        ">batch size (samples)<", ">measured<", ">Bars: 95 % CIs, with an arrow beyond the chart.<",
        ">law of the sizes: 4.9 ms + 31.2 ms x batch_size, ±3.0 %<"}) {
    EXPECT_THAT(time, HasSubstr(label));
  }
  EXPECT_THAT(content_of(folder_ / "forward_time_per_sample.svg"),
              HasSubstr(">Batch 8 takes 12 % longer than a split into smaller batches<"));
  EXPECT_THAT(content_of(folder_ / "residual.svg"), HasSubstr(">+14 %<"));
  EXPECT_THAT(content_of(folder_ / "forward_pass_efficiency.svg"), HasSubstr(">1.112<"));
  EXPECT_THAT(content_of(folder_ / "throughput.svg"), HasSubstr(">30.80<"));
  EXPECT_THAT(content_of(folder_ / "answer.svg"), HasSubstr(">batch 4, best<"));
}

TEST_F(Charts, OfASearchShowWhatNothingBeats) {
  const auto names = draw(fixtures::tuned(), folder_);
  EXPECT_EQ(names.count("tuning_latency.svg") + names.count("tuning_memory.svg"), 2u);
  EXPECT_EQ(names.count("answer.svg"), 0u);
  const std::string latency = content_of(folder_ / "tuning_latency.svg");
  for (const char* label : {">batch 8, recommended<", ">batch 1, default<", ">budget 300 ms<"}) {
    EXPECT_THAT(latency, HasSubstr(label));
  }
}

TEST_F(Charts, NameNoSizeOfARunThatCannotTell) {
  draw(fixtures::hopeless(), folder_);
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (entry.path().extension() != ".svg") continue;
    EXPECT_THAT(content_of(entry.path()), Not(HasSubstr("best"))) << entry.path();
  }
}

TEST_F(Charts, HostileNamesStayText) {
  const fs::path witness = folder_ / "witness";
  findings::Summary summary = fixtures::three_groups();
  const std::string touch = "touch " + witness.string();
  summary.groups[0].key.model = "`" + touch + "`";
  summary.groups[1].key.model = "'.system('" + touch + "').'";
  summary.groups[2].key.model = "x\nsystem('" + touch + "')\n!" + touch;
  findings::PhaseShare& phase = summary.groups[0].rows[0].phases[0];
  phase.name = "</text><script>alert(1)</script>";
  phase.share = 0.1;
  draw(summary, folder_);
  draw(fixtures::hostile(), folder_ / "hostile");
  EXPECT_FALSE(fs::exists(witness));
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    if (entry.path().extension() != ".svg") continue;
    EXPECT_THAT(content_of(entry.path()), Not(HasSubstr("<script>"))) << entry.path();
  }
  EXPECT_THAT(content_of(folder_ / "time_breakdown.svg"),
              HasSubstr("&lt;/text&gt;&lt;script&gt;alert(1)"));
}

TEST_F(Charts, GoIntoAFolderOfAnyName) {
  EXPECT_EQ(draw(fixtures::one_group(), folder_ / "|it's `a` \"folder\" $x"), kAll);
  EXPECT_EQ(draw(fixtures::one_group(), folder_ / "a\nsystem 'b'\\"), kAll);
}

TEST_F(Charts, AFolderThatCannotBeMadeIsAnError) {
  std::ofstream(folder_ / "file") << "x";
  const auto result = write_charts(fixtures::one_group(), folder_ / "file" / "charts");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, base::ErrorKind::failed);
  EXPECT_THAT(result.error().fix, HasSubstr("--charts=DIR"));
}

TEST_F(Charts, BecomePngByAConverter) {
  const std::string copies = program("cp \"$3\" \"$2\"");
  auto names = draw(fixtures::one_group(), folder_ / "a 'b'", copies);
  EXPECT_EQ(names.size(), 2 * kAll.size());
  EXPECT_EQ(names.count("memory.png"), 1u);
  EXPECT_EQ(draw(fixtures::one_group(), folder_ / "a 'b'"), kAll);
  EXPECT_FALSE(fs::exists(folder_ / "a 'b'" / "memory.png")) << "it would be of an earlier run";
}

TEST_F(Charts, AConverterThatFailsIsAnErrorThatNamesTheSvg) {
  const auto result = write_charts(fixtures::one_group(), folder_,
                                   {.converter = program("echo no fonts >&2; exit 1")});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().what, HasSubstr("no fonts"));
  EXPECT_THAT(result.error().fix, HasSubstr(".svg"));
}

TEST_F(Charts, OfAPlanShowLatencyByLoad) {
  planning::CapacityPlan plan;
  plan.config.model = "distilbert\x1b[31m";
  plan.rate_per_s = 40;
  plan.p99_ms = 500;
  plan.arrivals = "poisson";
  plan.recommended = 0;
  plan.curves = {{"take-all", {{10, 60, 100}, {40, 80, 310}, {60, {}, {}}}},
                 {"fixed-timeout", {{10, 70, 120}}}};
  const auto files = write_plan_charts(plan, folder_, {.converter = "no-such-converter"});
  ASSERT_TRUE(files) << base::to_string(files.error());
  const std::string svg = content_of(files->front());
  EXPECT_EQ(files->front().filename(), "latency_by_load.svg");
  for (const char* text : {">take-all (recommended)<", ">requests per second<", ">p99 500 ms<",
                           ">p99 of the latency (ms)<"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
  plan.curves.clear();
  EXPECT_FALSE(write_plan_charts(plan, folder_));
}

TEST(ChartsOfNothing, AreAnError) {
  EXPECT_FALSE(write_charts({}, "unused"));
}

}  // namespace
}  // namespace batchscope::charts
