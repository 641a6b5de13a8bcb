#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "batchscope/report/markdown.hpp"
#include "batchscope/report/text.hpp"
#include "page/html_charts.hpp"
#include "sections/report_sections.hpp"
#include "testing/summaries/fixtures.hpp"
#include "testing/summaries/tuned.hpp"

namespace batchscope::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(TuningSection, SaysWhatToUseAndWhatNothingBeats) {
  const std::string text = report::text(fixtures::tuned());
  EXPECT_THAT(text, HasSubstr("Use batch 8, fp32, cpu, 2 threads, torch"));
  EXPECT_THAT(text, HasSubstr("6 of 24 points measured, in 58 visits"));
  EXPECT_THAT(text, HasSubstr("Throughput against latency: Pareto front"));
  EXPECT_THAT(text, HasSubstr("Throughput against memory: Pareto front"));
  EXPECT_THAT(text, HasSubstr("engine b does not compute what torch does."));
  EXPECT_THAT(text, HasSubstr("From 1 to 8 samples a step"));
  EXPECT_THAT(report::text(fixtures::one_group()), Not(HasSubstr("Tuning")));
}

TEST(TuningSection, IsBesideTheHeadlineWithItsTablesBelowTheCharts) {
  const auto sections = report_sections(fixtures::tuned(), {}, {});
  ASSERT_EQ(sections.at(1).id, "tuning");
  EXPECT_TRUE(sections[1].tuning_charts);
  EXPECT_TRUE(std::holds_alternative<document::List>(sections[1].content.front()));
  EXPECT_TRUE(std::holds_alternative<document::Heading>(sections[1].below.front()));
  EXPECT_THAT(markdown_report(fixtures::tuned(), {}), HasSubstr("## Tuning"));
  EXPECT_NE(report_sections(fixtures::one_group(), {}, {}).at(1).id, "tuning");
}

TEST(TuningCharts, HoldEveryPointByLatencyAndByMemory) {
  const Json charts = html_charts(fixtures::tuned(), {});
  EXPECT_EQ(charts[0]["place"], places::kAnswer);
  EXPECT_EQ(charts[1]["place"], places::kTuning);
  const Json& latency = charts[0];
  EXPECT_EQ(latency["id"], "tuning_latency");
  EXPECT_EQ(latency["across"], "latency (p50) per batch (ms)");
  EXPECT_EQ(latency["bound"]["value"], 300);
  EXPECT_EQ(latency["bound"]["text"], "budget 300 ms");
  ASSERT_EQ(latency["points"].size(), 6U);
  const Json& first = latency["points"][0];
  EXPECT_EQ(first["x"], 50);
  EXPECT_EQ(first["y"], 20);
  EXPECT_EQ(first["mark"], "default");
  EXPECT_EQ(latency["styles"][first["look"].get<std::size_t>()]["joined"], true);
  const Json& last = latency["points"][5];
  EXPECT_THAT(last["text"].get<std::string>(), HasSubstr("beyond the bounds"));
  const Json& memory = charts[1];
  EXPECT_EQ(memory["across"], "peak memory (GiB)");
  EXPECT_NEAR(memory["points"][0]["x"].get<double>(), 400.0 / 1024, 1e-12);
  EXPECT_FALSE(memory.contains("bound"));
}

TEST(TuningCharts, NeedTwoPoints) {
  findings::Summary summary = fixtures::tuned();
  summary.tunings[0].points.resize(1);
  for (const Json& chart : html_charts(summary, {})) {
    EXPECT_THAT(chart["id"].get<std::string>(), Not(HasSubstr("tuning")));
  }
}

}  // namespace
}  // namespace batchscope::report
