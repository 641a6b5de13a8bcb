#include "batchscope/monitor_report/monitor_page.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "batchscope/document/web_bundle.hpp"
#include "made_logs.hpp"
#include "testing/summaries/hostile_texts.hpp"

namespace batchscope::monitor_report {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class MonitorPage : public ::testing::Test {
 protected:
  void SetUp() override {
    if (document::monitor_bundle() == nullptr) GTEST_SKIP() << "built without the HTML report";
  }

  static std::string page_of(const testing::MadeLog& made) {
    const auto page = html(testing::view_of(made));
    return page ? *page : base::to_string(page.error());
  }

  static json data_of(const std::string& page) {
    const std::string open = "<script type=\"application/json\" id=\"monitor-data\">";
    const size_t begin = page.find(open) + open.size();
    return json::parse(page.substr(begin, page.find("</script", begin) - begin));
  }

  static json chart_of(const json& data, const std::string& id) {
    for (const json& chart : data.at("charts")) {
      if (chart.at("id") == id) return chart;
    }
    return {};
  }

  static size_t count(const std::string& text, const std::string& what) {
    size_t found = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
  }

  // Without what no name can change.
  static std::string own_part(std::string page) {
    for (const std::string_view part :
         {document::monitor_bundle()->script, document::monitor_bundle()->style}) {
      page.erase(page.find(part), part.size());
    }
    return page;
  }
};

TEST(MonitorPageAbsent, SaysWhatElseThereIs) {
  if (document::monitor_bundle() != nullptr) GTEST_SKIP() << "this build has the page";
  const testing::MadeLog made = testing::empty();
  const auto page = html(testing::view_of(made));
  ASSERT_FALSE(page);
  EXPECT_THAT(page.error().fix, HasSubstr("Markdown"));
}

TEST_F(MonitorPage, HasTheValuesOfEveryReadingWhereTheyAreFew) {
  const testing::MadeLog made = testing::healthy();
  const json data = data_of(page_of(made));
  const json power = chart_of(data, "power");
  ASSERT_EQ(power.at("lines").size(), 8U);
  EXPECT_EQ(power.at("limit").at("value"), 700);
  for (size_t gpu = 0; gpu < 8; ++gpu) {
    const json& mean = power.at("lines")[gpu].at("mean");
    ASSERT_EQ(mean.size(), 600U);
    EXPECT_FALSE(power.at("lines")[gpu].contains("low"));
    for (size_t i = 0; i < 600; ++i) {
      EXPECT_NEAR(mean[i].get<double>(), *made.log.samples[i].gpus[gpu].power_watts, 0.006);
    }
  }
  EXPECT_EQ(data.at("wall"), 599'000'000);
  EXPECT_EQ(data.at("clocks")[0].at("times")[1], 1'000'000);
}

TEST_F(MonitorPage, ALongLogStaysSmallAndKeepsItsPeak) {
  const testing::MadeLog made = testing::week(86'400);
  const std::string page = page_of(made);
  EXPECT_LT(page.size(), 1'000'000U);
  const json line = chart_of(data_of(page), "temperature").at("lines")[0];
  EXPECT_LE(line.at("high").size(), 1000U);
  EXPECT_EQ(*std::max_element(line.at("high").begin(), line.at("high").end()), 97);
  EXPECT_THAT(page, HasSubstr("Each point covers up to 87 consecutive readings"));
}

TEST_F(MonitorPage, OfEightGpusAndManyStepsItStaysBelowItsLimit) {
  testing::MadeLog made = testing::trained();
  const testing::MadeLog eight = testing::healthy(8, 2500);
  made.log.samples = eight.log.samples;
  EXPECT_LT(page_of(made).size(), 3'000'000U);
}

TEST_F(MonitorPage, WhatWasNotReportedIsAGap) {
  const json data = data_of(page_of(testing::lost_gpu()));
  const json lines = chart_of(data, "gpu-busy").at("lines");
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(lines[2].at("mean")[120].is_null());
  EXPECT_TRUE(lines[2].at("mean")[340].is_null());
  EXPECT_FALSE(lines[3].at("mean")[120].is_null());
  EXPECT_TRUE(lines[3].at("mean")[200].is_null()) << "the monitor stood still";
}

TEST_F(MonitorPage, BandsReachFromWhenItBeganToWhenItEnded) {
  const json data = data_of(page_of(testing::trained()));
  ASSERT_EQ(data.at("bands").size(), 5U);
  EXPECT_EQ(data.at("bands")[0].at("to"), data.at("wall")) << "it still stands";
  EXPECT_EQ(data.at("bands")[0].at("is_active"), true);
  // The first step is told before the first sample ends, at the start of all.
  EXPECT_EQ(
      data.at("bands")[1].at("to").get<int64_t>() - data.at("bands")[1].at("from").get<int64_t>(),
      250'000'000);
}

TEST_F(MonitorPage, StepsAreReportedBesideTimes) {
  const json data = data_of(page_of(testing::trained()));
  const json& steps = data.at("clocks")[1].at("steps");
  EXPECT_EQ(steps.back(), 19'999);
  EXPECT_EQ(chart_of(data, "loss").at("lines")[0].at("clock"), 1);
  EXPECT_EQ(chart_of(data, "step-time").at("unit"), "ms");
}

TEST_F(MonitorPage, OfManyGpusThoseOfFindingsAreDrawn) {
  testing::MadeLog made = testing::healthy(12, 30);
  made.active_findings = testing::lost_gpu().active_findings;
  made.active_findings.front().finding.where = findings::GpuMoment{10, {}};
  const std::string page = page_of(made);
  const json lines = chart_of(data_of(page), "power").at("lines");
  ASSERT_EQ(lines.size(), 8U);
  EXPECT_EQ(lines[7].at("name"), "GPU 10");
  EXPECT_THAT(page, HasSubstr("The chart shows 8 of 12 GPUs"));
  EXPECT_THAT(page, HasSubstr(">11, NVIDIA H100")) << "the table has all";
}

TEST_F(MonitorPage, NoNameAddsAnElement) {
  const size_t tags = count(own_part(page_of(testing::hostile("harmless"))), "<");
  for (const std::string& text : fixtures::hostile_texts()) {
    EXPECT_EQ(count(own_part(page_of(testing::hostile(text))), "<"), tags) << text;
  }
}

TEST_F(MonitorPage, RunsNothingButItsScript) {
  const std::string page = page_of(testing::trained());
  EXPECT_THAT(page, HasSubstr("default-src 'none'; script-src '" +
                              std::string(document::monitor_bundle()->script_hash) + "'"));
  EXPECT_THAT(own_part(page), Not(HasSubstr("style=")));
  EXPECT_THAT(own_part(page), Not(HasSubstr("http:")));
  EXPECT_EQ(count(own_part(page), "<script"), 2U) << "its data, and its own";
}

TEST_F(MonitorPage, LeadsWithTheAnswerThenFindingsThenCharts) {
  const std::string page = own_part(page_of(testing::trained()));
  const auto at = [&](const char* what) { return page.find(what); };
  EXPECT_LT(at("id=\"answer\""), at("id=\"findings\""));
  EXPECT_LT(at("id=\"findings\""), at("id=\"timeline\""));
  EXPECT_LT(at("id=\"chart-loss\""), at("id=\"chart-step-time\""));
  EXPECT_LT(at("id=\"chart-step-time\""), at("id=\"chart-gpu-busy\""));
  EXPECT_LT(at("id=\"chart-gpu-busy\""), at("id=\"chart-cpu\""));
  EXPECT_THAT(page, HasSubstr("4 more are over"));
}

TEST_F(MonitorPage, OfAnEmptyLogSaysSo) {
  const std::string page = own_part(page_of(testing::empty()));
  EXPECT_THAT(page, HasSubstr("Nothing recorded"));
  EXPECT_THAT(page, Not(HasSubstr("id=\"timeline\"")));
}

}  // namespace
}  // namespace batchscope::monitor_report
