#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/document/finding_parts.hpp"
#include "batchscope/report/html.hpp"
#include "page/answer_part.hpp"
#include "page/finding_cards.hpp"
#include "page/forest.hpp"
#include "page/html_charts.hpp"
#include "testing/summaries/answered.hpp"
#include "testing/summaries/fixtures.hpp"

namespace batchscope::report {
namespace {

using findings::Confidence;
using findings::Summary;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Json drawn(const Summary& summary, const std::string& id,
           const std::vector<schema::RunFile>& runs = {}) {
  for (const Json& chart : html_charts(summary, runs)) {
    if (chart.at("id") == id) return chart;
  }
  return {};
}

TEST(AnswerSection, LeadsWithTheSettingAndItsFigures) {
  const std::string html = answer_part(fixtures::answered());
  EXPECT_THAT(html, HasSubstr("<h2 id=\"answer-title\">Use batch 4</h2>"));
  EXPECT_THAT(html, HasSubstr("<span class=\"badge good\">Verified</span>"));
  EXPECT_THAT(html, HasSubstr("6 fresh visits of each show it"));
  EXPECT_THAT(html, HasSubstr("<dt>samples/s</dt><dd><strong>30.80</strong>"));
  EXPECT_THAT(html, HasSubstr("<strong>129.9 ms</strong>"));
  EXPECT_THAT(html, HasSubstr("<strong>11 % more</strong> <span class=\"beside\">9.0 % to 14 %"));
  EXPECT_THAT(html, HasSubstr("throughput than batch 1"));
}

TEST(AnswerSection, MarksAQuantileThatNothingSupportsFor) {
  Summary summary = fixtures::answered();
  EXPECT_THAT(answer_part(summary), HasSubstr("p99 about 141 ms (too few samples"));
  summary.answer.latency->p99_ms.ci = stats::Interval{139, 144};
  EXPECT_THAT(answer_part(summary), HasSubstr("p99 141.0 ms"));
  EXPECT_THAT(answer_part(summary), Not(HasSubstr("about 141")));
}

TEST(AnswerSection, GreenIsForWhatIsShown) {
  Summary summary = fixtures::answered();
  for (const auto& [confidence, green] :
       {std::pair(Confidence::verified, 1), std::pair(Confidence::shown, 1),
        std::pair(Confidence::suspected, 0), std::pair(Confidence::cannot_tell, 0)}) {
    summary.answer.confidence = confidence;
    const std::string html = answer_part(summary);
    EXPECT_EQ(html.find("badge good") != std::string::npos, green == 1) << html;
  }
}

TEST(AnswerSection, ARunThatCannotTellNamesNoSize) {
  const Summary summary = fixtures::hopeless();
  const std::string html = answer_part(summary);
  EXPECT_THAT(html, HasSubstr("answer cannot-tell"));
  EXPECT_THAT(html, HasSubstr("Machine disturbed"));
  EXPECT_THAT(html, Not(HasSubstr("good")));
  for (const Json& chart : html_charts(summary, {})) {
    EXPECT_THAT(chart.dump(), Not(HasSubstr("best"))) << chart.at("id");
    EXPECT_THAT(chart.dump(), Not(HasSubstr("recommended"))) << chart.at("id");
  }
  EXPECT_THAT(drawn(summary, "answer").at("title"), HasSubstr("no significant difference"));
}

TEST(AnswerChart, MarksTheAnswerTheFrontAndTheBudget) {
  schema::RunFile run;
  run.header.plan.latency_budget_s = 0.2;
  const Json chart = drawn(fixtures::answered(), "answer", {run});
  EXPECT_EQ(chart.at("title"), "Batch 4 gives 30.8 samples/s at 130 ms per batch");
  EXPECT_EQ(chart.at("bound").at("value"), 200);
  const Json& points = chart.at("points");
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[2].at("label"), "batch 4, best");
  EXPECT_EQ(points[2].at("mark"), "recommended");
  EXPECT_EQ(points[3].at("label"), "8: +12 %, proven");
  EXPECT_EQ(points[3].at("mark"), "slow");
  // Batch 8 takes longer for less: nothing of it is on the front.
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(points[i].at("look"), i == 3 ? 1 : 0);
}

TEST(AnswerChart, ABudgetFarFromAllPointsIsStated) {
  schema::RunFile run;
  run.header.plan.latency_budget_s = 60;
  const Json chart = drawn(fixtures::answered(), "answer", {run});
  EXPECT_FALSE(chart.contains("bound"));
  EXPECT_THAT(chart.at("note"), HasSubstr("beyond the axis"));
}

TEST(SizesChart, HasNoIntervalBelowThreeVisits) {
  const Json chart = drawn(fixtures::hopeless(), "sizes");
  const Json& points = chart.at("views").at(0).at("chart").at("series").at(0).at("points");
  EXPECT_FALSE(points[0].contains("low"));
  EXPECT_THAT(points[0].at("text"), Not(HasSubstr("[")));
  EXPECT_TRUE(points[1].contains("low"));
}

TEST(SizesChart, StatesTheFindingAndDrawsTheLaw) {
  const Json chart = drawn(fixtures::answered(), "sizes");
  EXPECT_EQ(chart.at("title"), "Batch 8 takes 12 % longer than a split into smaller batches");
  const Json& first = chart.at("views").at(0).at("chart");
  EXPECT_EQ(first.at("series").at(0).at("points").at(3).at("label"), "+12 %, proven");
  EXPECT_EQ(first.at("series").at(0).at("points").at(2).at("mark"), "best");
  const Json& curve = first.at("curves").at(0).at("points");
  // 4.9 ms + 31.2 ms per sample, at one sample, and 3 % to either side.
  EXPECT_NEAR(curve[0].at(1).get<double>(), 36.1, 1e-9);
  EXPECT_NEAR(curve[0].at(3).get<double>(), 36.1 * 1.03, 1e-9);
  EXPECT_NEAR(curve.back().at(1).get<double>(), (4.9 + 8 * 31.2) / 8, 1e-9);
}

TEST(ResidualChart, IsHowFarASizeIsOffTheLaw) {
  const Json chart = drawn(fixtures::answered(), "residual");
  const double law = 4.9 + 31.2 * 8;
  const Json& last = chart.at("series").at(0).at("points").at(3);
  EXPECT_NEAR(last.at("value").get<double>(), 100 * (291.4 / law - 1), 1e-9);
  EXPECT_THAT(chart.at("title"), HasSubstr("above the fitted law"));
}

TEST(ResidualChart, CallsNoSizeOffTheLawThatNoTestCallsSo) {
  Summary summary = fixtures::answered();
  summary.findings.clear();
  EXPECT_EQ(drawn(summary, "residual").at("title"),
            "No size differs significantly from the fitted law");
}

TEST(BreakdownChart, LeavesOutWhatIsSmallAndWhatSaysNothing) {
  Summary summary = fixtures::answered();
  for (findings::ConfigRow& row : summary.groups.front().rows) row.phases.back().share = 0.015;
  // 96 % forward, everything else below 2 %.
  EXPECT_TRUE(drawn(summary, "time_breakdown").is_null());
  for (findings::ConfigRow& row : summary.groups.front().rows) row.phases[2].share = 0.05;
  const Json chart = drawn(summary, "time_breakdown");
  ASSERT_EQ(chart.at("phases").size(), 2u);
  EXPECT_EQ(chart.at("phases").at(1).at("name"), "d2h");
  EXPECT_THAT(chart.at("note"), HasSubstr("Not shown, each below 2.0 %: h2d, sync, other."));
  EXPECT_EQ(chart.at("title"), "forward takes 96 % of an iteration");
}

TEST(MemoryChart, ShowsALimitThatIsNear) {
  Summary summary = fixtures::answered();
  findings::MemoryLaw law;
  law.base_bytes = 540 * 1048576.0;
  law.per_sample_bytes = 9.5 * 1048576.0;
  law.limit_bytes = int64_t{1024} << 20;
  law.largest_batch_size = 50;
  summary.groups.front().memory_laws = {law};
  const Json near = drawn(summary, "memory");
  EXPECT_EQ(near.at("limit").at("value"), 1024);
  EXPECT_EQ(near.at("title"),
            "Peak memory grows by 9.50 MiB per sample; about 50 fit into 1.00 GiB");
  summary.groups.front().memory_laws.front().limit_bytes = int64_t{64} << 30;
  const Json far = drawn(summary, "memory");
  EXPECT_FALSE(far.contains("limit"));
  EXPECT_THAT(far.at("note"), HasSubstr("beyond the axis"));
}

schema::RunFile run_of_visits(const std::vector<double>& milliseconds) {
  schema::RunFile run;
  run.header.machine.logical_cpus = 2;
  run.configs.emplace_back();
  run.configs.front().shape.batch_size = 8;
  for (std::size_t i = 0; i < milliseconds.size(); ++i) {
    schema::Visit visit;
    visit.block = static_cast<int>(i);
    visit.samples_ns = {static_cast<int64_t>(milliseconds[i] * 1e6)};
    visit.wall_ns = 1'000'000'000;
    run.visits.push_back(visit);
  }
  return run;
}

TEST(VisitsChart, ShowsDrift) {
  const auto run = run_of_visits({10, 10, 10, 10, 10, 10, 10, 10, 11, 11, 11, 11});
  const Json chart = drawn({}, "visits", {run});
  EXPECT_EQ(chart.at("title"), "The last third of the visits took 10 % longer than the first");
  const Json& last = chart.at("points").at(8);
  EXPECT_NEAR(last.at("y").get<double>(), 10, 1e-9);
  EXPECT_NEAR(last.at("x").get<double>(), 8.5, 1e-9);
  EXPECT_EQ(last.at("name"), "block 9, batch 8");
  const auto few = run_of_visits({10, 10, 10, 10, 10, 10, 11, 11, 11});
  EXPECT_THAT(drawn({}, "visits", {few}).at("title"), StartsWith("90 %"));
}

TEST(VisitsChart, CallsScatterNoDrift) {
  const auto run = run_of_visits({10, 14, 7, 12, 8, 13, 9, 11, 15, 8, 10, 16});
  const Json chart = drawn({}, "visits", {run});
  EXPECT_THAT(chart.at("title"), StartsWith("90 % of the visits are within"));
}

TEST(VisitsChart, ShowsWhenTheMachineWasDisturbed) {
  auto run = run_of_visits({10, 10, 10, 10, 10, 10, 10});
  run.visits[2].fitness.others_load = 1.5;
  const Json chart = drawn({}, "visits", {run});
  EXPECT_EQ(chart.at("title"), "1 of 7 visits ran on a disturbed machine");
  EXPECT_EQ(chart.at("points").at(2).at("mark"), "disturbed");
  EXPECT_EQ(chart.at("points").at(3).at("mark"), "");
}

TEST(VisitsChart, OneFarOffDoesNotSetTheAxis) {
  const auto run = run_of_visits({10, 10.1, 10, 9.9, 10, 10.1, 10, 10, 9.9, 10, 10, 60});
  const Json chart = drawn({}, "visits", {run});
  const Json& far = chart.at("points").at(11);
  EXPECT_LE(far.at("y").get<double>(), 5);
  EXPECT_EQ(far.at("look"), 1);
  EXPECT_THAT(far.at("text"), HasSubstr("+500.0 %"));
}

TEST(FindingCards, AreOneAPlaceWithASmallChartAndAWayToTheirMeaning) {
  Summary summary = fixtures::answered();
  findings::Finding again = summary.findings.front();
  again.id = "scaling.departure";
  again.what = "Batch 8 takes 9 % longer than the other sizes suggest.";
  summary.findings.insert(summary.findings.begin() + 1, again);
  const std::string html = finding_cards(summary);
  EXPECT_THAT(html, HasSubstr("<svg viewBox"));
  EXPECT_THAT(html, HasSubstr(">+12 %</text>"));
  const std::regex card("<article");
  EXPECT_EQ(std::distance(std::sregex_iterator(html.begin(), html.end(), card), {}), 2);
  const std::string meaning = document::explanations(summary.findings, analyze::kinds());
  for (const char* anchor : {"explained-scaling-dominated", "explained-scaling-departure"}) {
    EXPECT_THAT(html, HasSubstr("href=\"#" + std::string(anchor) + "\""));
    EXPECT_THAT(meaning, HasSubstr("id=\"" + std::string(anchor) + "\""));
  }
}

TEST(Forest, LeadsAPageOfComparedModelsWithTheMargin) {
  Summary summary = fixtures::compared();
  EXPECT_TRUE(forest_leads(summary));
  const std::string html = answer_part(summary);
  EXPECT_THAT(html, HasSubstr("id=\"chart-forest\""));
  EXPECT_THAT(html, HasSubstr("class=\"margin\""));
  EXPECT_THAT(html, HasSubstr("<tr class=\"faster\"><th scope=\"row\" class=\"words\">bf16 against "
                              "fp32, batch 4</th>"));
  EXPECT_THAT(html, HasSubstr("<tr class=\"open\">"));
  EXPECT_THAT(html, HasSubstr("Dashed: the margin (3 % more time)."));
  summary.gates.clear();
  EXPECT_THAT(forest_html(summary, {}), Not(HasSubstr("class=\"margin\"")));
  EXPECT_THAT(forest_html(summary, 0.02), HasSubstr("Dashed: the margin (2 % more time)."));
  EXPECT_THAT(answer_part(summary, 0.02), HasSubstr("class=\"margin\""));
}

TEST(Forest, TellsWhatTheGateSays) {
  Summary summary = fixtures::compared();
  findings::GateCheck check;
  check.comparison = 1;
  summary.gates.front().checks = {check};
  EXPECT_THAT(forest_html(summary, {}), HasSubstr(">cannot tell</td>"));
  summary.gates.front().checks.front().outcome = findings::Outcome::failed;
  EXPECT_THAT(forest_html(summary, {}),
              ::testing::AllOf(HasSubstr(">slower, beyond the margin</td>"),
                               HasSubstr("<tr class=\"slower\">")));
  summary.gates.front().checks.front().outcome = findings::Outcome::passed;
  EXPECT_THAT(forest_html(summary, {}), HasSubstr(">within the margin</td>"));
}

TEST(Forest, WhatHasNoIntervalIsNotTested) {
  Summary summary = fixtures::compared();
  summary.gates.clear();
  summary.comparisons.resize(1);
  findings::Comparison& only = summary.comparisons.front();
  only.significant = false;
  EXPECT_THAT(forest_html(summary, {}), Not(HasSubstr("not tested")));
  only.ratio.ci.reset();
  EXPECT_THAT(forest_html(summary, {}), HasSubstr("not tested"));
}

TEST(Forest, LeadsAPageOfEngines) {
  Summary summary = fixtures::compared();
  summary.answer = {};
  summary.comparisons.front().axis_id = schema::AxisId::precision;
  EXPECT_FALSE(forest_leads(summary));
  summary.comparisons.front().axis_id = schema::AxisId::engine;
  EXPECT_TRUE(forest_leads(summary));
}

TEST(Forest, AnIntervalNeverSetsTheScale) {
  Summary summary = fixtures::compared();
  summary.comparisons.resize(1);
  findings::Comparison& only = summary.comparisons.front();
  only.ratio = {1.02, stats::Interval{0.01, 90}};
  only.significant = false;
  const std::string wide = forest_html(summary, {});
  EXPECT_THAT(wide, HasSubstr("M310 8L316 13L310 18"));
  // The number beside it has the interval of two visits, too.
  only.n = 2;
  EXPECT_EQ(forest_html(summary, {}), wide);
}

}  // namespace
}  // namespace batchscope::report
