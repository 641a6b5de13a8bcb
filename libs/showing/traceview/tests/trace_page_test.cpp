#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "batchscope/document/web_bundle.hpp"
#include "batchscope/traceview/trace.hpp"
#include "made_summary.hpp"
#include "testing/summaries/hostile_texts.hpp"
#include "testing/summaries/unpacked_time.hpp"

namespace batchscope::traceview {
namespace {

using attribution::TimeParts;
using charts::parts_between;
using charts::UnpackedSpan;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class TracePage : public ::testing::Test {
 protected:
  void SetUp() override {
    if (document::trace_bundle() == nullptr) GTEST_SKIP() << "built without the HTML report";
  }

  static std::string page_of(const advice::TraceSummary& summary) {
    const auto page = trace_html(summary);
    return page ? *page : base::to_string(page.error());
  }

  // As a browser reads it: up to the first end of a script.
  static json data_of(const std::string& page, const std::string& id) {
    const std::string open = "<script type=\"application/json\" id=\"" + id + "\">";
    const size_t start = page.find(open);
    if (start == std::string::npos) return {};
    const size_t begin = start + open.size();
    return json::parse(page.substr(begin, page.find("</script", begin) - begin));
  }

  // Times as in the trace.
  static std::vector<UnpackedSpan> segments_of(const json& device, int64_t window_start) {
    charts::PackedTime time;
    time.start_ns = window_start + device.at("from").get<int64_t>();
    time.unit_ns = device.at("unit");
    time.base64 = device.at("packed");
    return charts::unpacked(time);
  }

  static size_t count(const std::string& text, const std::string& what) {
    size_t found = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
  }

  // Without what no name can change.
  static std::string own_part(std::string page) {
    for (const std::string_view part :
         {document::trace_bundle()->script, document::trace_bundle()->style}) {
      page.erase(page.find(part), part.size());
    }
    return page;
  }
};

TEST(TracePageAbsent, SaysWhatElseThereIs) {
  if (document::trace_bundle() != nullptr) GTEST_SKIP() << "this build has the page";
  const auto page = trace_html(made_summary());
  ASSERT_FALSE(page);
  EXPECT_THAT(page.error().fix, HasSubstr("npm ci"));
  EXPECT_THAT(page.error().fix, HasSubstr("Markdown"));
}

TEST_F(TracePage, TheTimelineHasTheExactTimesOfTheSummary) {
  const advice::TraceSummary summary = made_summary();
  const json data = data_of(page_of(summary), "timeline-data");
  const int64_t start = summary.attribution.devices[0].pieces.front().start_ns;
  const int64_t end = summary.attribution.devices[1].pieces.back().end_ns;
  EXPECT_EQ(data.at("wall"),
            std::max(end, summary.attribution.devices[0].pieces.back().end_ns) - start);
  ASSERT_EQ(data.at("devices").size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    const attribution::DeviceTime& device = summary.attribution.devices[i];
    const std::vector<UnpackedSpan> segments = segments_of(data.at("devices")[i], start);
    EXPECT_EQ(segments.size(), device.pieces.size());
    EXPECT_EQ(data.at("devices")[i].at("pieces"), device.pieces.size());
    EXPECT_EQ(parts_between(segments, device.start_ns, device.end_ns), device.parts);
    for (const attribution::Step& step : summary.attribution.steps) {
      EXPECT_EQ(parts_between(segments, step.start_ns, step.end_ns), step.devices[i]);
    }
    EXPECT_EQ(data.at("devices")[i].at("start").get<int64_t>() + start, device.start_ns);
    EXPECT_EQ(data.at("gaps")[i].at("device"), i);
    EXPECT_EQ(data.at("gaps")[i].at("start").get<int64_t>() + start,
              device.largest_gaps[0].start_ns);
  }
}

TEST_F(TracePage, OfVeryManyPiecesTheTimesStayExact) {
  advice::TraceSummary summary = made_summary("name", 700'000);
  const std::string page = page_of(summary);
  EXPECT_LT(page.size(), 7'000'000U);
  const json data = data_of(page, "timeline-data");
  const int64_t start = summary.attribution.devices[0].pieces.front().start_ns;
  size_t segments_in_all = 0;
  for (size_t i = 0; i < 2; ++i) {
    const attribution::DeviceTime& device = summary.attribution.devices[i];
    const std::vector<UnpackedSpan> segments = segments_of(data.at("devices")[i], start);
    EXPECT_EQ(data.at("devices")[i].at("spans"), segments.size());
    segments_in_all += segments.size();
    EXPECT_EQ(parts_between(segments, device.start_ns, device.end_ns), device.parts);
    for (const attribution::Step& step : summary.attribution.steps) {
      EXPECT_EQ(parts_between(segments, step.start_ns, step.end_ns), step.devices[i]);
    }
  }
  EXPECT_LE(segments_in_all, 1'000'000U);
  EXPECT_GT(segments_in_all, 500'000U);
}

TEST_F(TracePage, NoNameAddsAnElement) {
  const size_t tags = count(own_part(page_of(made_summary("harmless"))), "<");
  for (const std::string& text : fixtures::hostile_texts()) {
    EXPECT_EQ(count(own_part(page_of(made_summary(text))), "<"), tags) << text;
  }
}

TEST_F(TracePage, RunsNothingButItsScript) {
  const std::string page = page_of(made_summary());
  EXPECT_THAT(page,
              HasSubstr("default-src 'none'; script-src '" +
                        std::string(document::trace_bundle()->script_hash) + "'; style-src '" +
                        std::string(document::trace_bundle()->style_hash) + "'"));
  EXPECT_THAT(own_part(page), Not(HasSubstr("style=")));
  EXPECT_THAT(own_part(page), Not(HasSubstr("http:")));
  EXPECT_EQ(count(own_part(page), "<script"), 4U) << "three of data, and its own";
}

TEST_F(TracePage, LeadsWithTheAnswerThenWhatWouldChangeIt) {
  const std::string page = own_part(page_of(made_summary()));
  const auto at = [&](const char* what) { return page.find(what); };
  EXPECT_LT(at("is busy 40 % of 3.00 ms"), at("id=\"devices\""));
  EXPECT_LT(at("id=\"devices\""), at("id=\"findings\""));
  EXPECT_LT(at("id=\"findings\""), at("id=\"timeline\""));
  EXPECT_THAT(
      page,
      HasSubstr("<h2 id=\"answer-title\">The device waits while the host does other work</h2>"));
  EXPECT_THAT(page, HasSubstr("<strong>14 to 28 %</strong> of the time to gain"));
  EXPECT_THAT(page, HasSubstr("high, measured"));
}

TEST_F(TracePage, ThePictureHasEveryPartThatThereIs) {
  const std::string page = page_of(made_summary());
  const size_t from = page.find("class=\"time-picture\"");
  const std::string picture = page.substr(from, page.find("</svg>", from) - from);
  for (const char* key : {"compute", "memcpy", "communication", "data-loading", "synchronisation",
                          "launch", "host", "device", "unknown"}) {
    EXPECT_EQ(count(picture, std::string("fill=\"url(#part-") + key + ")\""), 2U) << key;
  }
  EXPECT_EQ(count(picture, "class=\"allocated\""), 2U);
  EXPECT_EQ(count(picture, "class=\"reserved\""), 2U);
  EXPECT_THAT(picture, HasSubstr("step 1"));
  EXPECT_THAT(page, HasSubstr("role=\"img\" aria-label=\"compute ")) << "bars are told in words";
}

TEST_F(TracePage, GapsAreCountedFromTheStartOfTheTimeline) {
  advice::TraceSummary summary = made_summary();
  attribution::DeviceTime& device = summary.attribution.devices.front();
  device.largest_gaps[0].start_ns = device.pieces.front().start_ns + 1'234'000;
  EXPECT_THAT(page_of(summary), HasSubstr("host work, GPU 0</th><td>1.23</td>"));
  summary.device_word = "NPU";
  EXPECT_THAT(page_of(summary), HasSubstr("host work, NPU 0</th><td>1.23</td>"));
}

TEST_F(TracePage, WithoutPiecesOrDevicesItSaysWhatThereIs) {
  advice::TraceSummary summary = made_summary();
  for (auto& device : summary.attribution.devices) device.pieces.clear();
  EXPECT_THAT(own_part(page_of(summary)), Not(HasSubstr("id=\"timeline\"")));
  advice::TraceSummary none;
  none.message = "The trace has no device.";
  const std::string page = own_part(page_of(none));
  EXPECT_THAT(page, HasSubstr("The trace has no device"));
  EXPECT_THAT(page, Not(HasSubstr("id=\"devices\"")));
  EXPECT_THAT(page, Not(HasSubstr("<h2 id=\"steps-title\"")));
}

TEST_F(TracePage, OfVeryManyStepsTheFirstAreThere) {
  advice::TraceSummary summary = made_summary();
  const attribution::Step step = summary.attribution.steps.front();
  summary.attribution.steps.assign(3000, step);
  const std::string page = page_of(summary);
  EXPECT_EQ(data_of(page, "timeline-data").at("steps").size(), 500U);
  EXPECT_THAT(page, HasSubstr("The first 500 of 6000 rows"));
  EXPECT_THAT(data_of(page, "trace-csv").get<std::string>(), HasSubstr("rank,device,step"));
}

}  // namespace
}  // namespace batchscope::traceview
