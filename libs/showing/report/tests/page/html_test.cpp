#include "batchscope/report/html.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "batchscope/document/html.hpp"
#include "batchscope/document/web_bundle.hpp"
#include "batchscope/report/csv.hpp"
#include "batchscope/report/json.hpp"
#include "testing/summaries/diagnosed.hpp"
#include "testing/summaries/fixtures.hpp"
#include "testing/summaries/hostile_texts.hpp"

namespace batchscope::report {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

// What an element of data holds, as a browser reads it: up to the first end of a script.
json data_of(const std::string& page, const std::string& id) {
  const std::string open = "<script type=\"application/json\" id=\"" + id + "\">";
  const std::size_t start = page.find(open);
  if (start == std::string::npos) return {};
  const std::size_t begin = start + open.size();
  return json::parse(page.substr(begin, page.find("</script", begin) - begin));
}

// The chart of that name; null where it is not drawn.
json chart_of(const std::string& page, const std::string& id) {
  const json data = data_of(page, "report-data");
  for (const json& chart : data.at("charts")) {
    if (chart.at("id") == id) return chart;
  }
  return {};
}

std::vector<std::string> ids_of(const std::string& page) {
  std::vector<std::string> ids;
  const json data = data_of(page, "report-data");
  for (const json& chart : data.at("charts")) ids.push_back(chart.at("id"));
  return ids;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

// The page without the bundle, whose own script no name can change.
std::string own_part(const std::string& page) {
  std::string text = page;
  for (const std::string_view part :
       {document::web_bundle()->script, document::web_bundle()->style}) {
    text.erase(text.find(part), part.size());
  }
  return text;
}

class Html : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_html()) GTEST_SKIP() << "built without the HTML report";
  }
  static std::string page_of(const findings::Summary& summary,
                             const std::vector<schema::RunFile>& runs = {}) {
    const auto page = html(summary, runs);
    return page ? *page : base::to_string(page.error());
  }
};

TEST(HtmlAbsent, SaysHowToGetIt) {
  if (has_html()) GTEST_SKIP() << "this build has the HTML report";
  const auto page = html({}, {});
  ASSERT_FALSE(page);
  EXPECT_THAT(page.error().fix, HasSubstr("npm ci"));
}

TEST(ScriptJson, HoldsNothingThatEndsTheElement) {
  for (const std::string& text : fixtures::hostile_texts()) {
    const std::string plain = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
    const std::string safe = document::script_json(plain);
    EXPECT_EQ(safe.find_first_of("<>&"), std::string::npos) << safe;
    EXPECT_EQ(safe.find("\xe2\x80\xa8"), std::string::npos) << safe;
    EXPECT_EQ(safe.find("\xe2\x80\xa9"), std::string::npos) << safe;
    EXPECT_EQ(json::parse(safe), json::parse(plain));
  }
}

TEST(HtmlText, LeavesNoMarkup) {
  ASSERT_GE(fixtures::hostile_texts().size(), 30U);
  for (const std::string& text : fixtures::hostile_texts()) {
    EXPECT_EQ(document::html_text(text).find_first_of("<>\"'"), std::string::npos)
        << document::html_text(text);
  }
  EXPECT_EQ(document::html_text("a & <b> \"c\" 'd'"),
            "a &amp; &lt;b&gt; &quot;c&quot; &#39;d&#39;");
}

findings::Summary named(const std::string& text) {
  findings::Summary summary = fixtures::one_group();
  summary.inputs.front().path = summary.inputs.front().host = text;
  findings::Group& group = summary.groups.front();
  group.label = group.key.model = text;
  for (findings::ConfigRow& row : group.rows) row.config.model = row.phases[1].name = text;
  summary.findings.front().what = summary.findings.front().fix = text;
  summary.words = summary.warnings = {text, text};
  return summary;
}

TEST_F(Html, NoNameAddsAnElement) {
  const std::size_t tags = count(own_part(page_of(named("harmless"))), "<");
  for (const std::string& text : fixtures::hostile_texts()) {
    EXPECT_EQ(count(own_part(page_of(named(text))), "<"), tags) << text;
  }
}

TEST_F(Html, NoOperatorAddsAnElement) {
  const std::size_t tags = count(own_part(page_of(fixtures::diagnosed_with({"harmless"}))), "<");
  for (const std::string& text : fixtures::hostile_texts()) {
    EXPECT_EQ(count(own_part(page_of(fixtures::diagnosed_with({text}))), "<"), tags) << text;
  }
}

TEST_F(Html, PolicyAllowsOnlyThePagesOwnScript) {
  const std::string page = page_of(fixtures::one_group());
  EXPECT_THAT(page, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(page, Not(HasSubstr("unsafe")));
  // No handler and no style stands in a tag, which the policy would have to allow.
  const std::regex inline_code(R"(<[a-z][^>]*\s(on[a-z]+|style)=)");
  EXPECT_FALSE(std::regex_search(own_part(page), inline_code));
  EXPECT_THAT(own_part(page), Not(HasSubstr("://")));
}

TEST_F(Html, NumbersAreThoseOfTheSummary) {
  const findings::Summary summary = fixtures::three_groups();
  const std::string page = page_of(summary);
  EXPECT_EQ(data_of(page, "report-csv").get<std::string>(), csv(summary));
  EXPECT_EQ(data_of(page, "report-analysis"), json::parse(to_json(summary)));
  const json view = chart_of(page, "sizes").at("views").at(1);
  EXPECT_EQ(view.at("name"), "throughput");
  for (std::size_t g = 0; g < summary.groups.size(); ++g) {
    const json& points = view.at("chart").at("series").at(g).at("points");
    ASSERT_EQ(points.size(), summary.groups[g].rows.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const findings::Estimate& expected = summary.groups[g].rows[i].throughput_per_s;
      EXPECT_EQ(points[i].at("value").get<double>(), expected.value);
      EXPECT_EQ(points[i].at("low").get<double>(), expected.ci->low);
      EXPECT_EQ(points[i].at("high").get<double>(), expected.ci->high);
    }
  }
}

TEST_F(Html, EachColourHasItsTwinForADarkBackground) {
  const json data = data_of(page_of(fixtures::three_groups()), "report-data");
  int colours = 0;
  const auto look = [&](const auto& self, const json& value) -> void {
    if (!value.is_structured()) return;
    if (value.is_object() && value.contains("colour")) {
      ++colours;
      EXPECT_TRUE(data.at("dark").contains(value.at("colour").get<std::string>())) << value;
    }
    for (const json& each : value) self(self, each);
  };
  look(look, data.at("charts"));
  EXPECT_GT(colours, 5);
}

TEST_F(Html, DrawsOnlyWhatThereIs) {
  EXPECT_THAT(ids_of(page_of(fixtures::seed_table())), ::testing::ElementsAre("answer", "sizes"));
}

TEST_F(Html, ManySamplesAreThinnedAndThePageSaysSo) {
  findings::Summary summary = fixtures::many_sizes();
  for (findings::ConfigRow& row : summary.groups.front().rows) {
    row.n_iterations = 5000;
    findings::Distribution& d = row.distribution;
    d.samples_ms.clear();
    for (int i = 0; i < 1000; ++i) {
      d.samples_ms.push_back(d.whisker_low_ms + (d.whisker_high_ms - d.whisker_low_ms) * i / 999);
    }
  }
  const std::string page = page_of(summary);
  EXPECT_LE(page.size(), 1500000U);
  const json box = chart_of(page, "forward_pass_boxplot");
  ASSERT_FALSE(box.is_null());
  EXPECT_THAT(box.at("note").get<std::string>(), HasSubstr("of 100000 timed iterations, evenly"));
  std::size_t drawn = 0;
  for (const json& each : box.at("series").at(0).at("boxes")) drawn += each.at("points").size();
  EXPECT_GT(drawn, 5000U);
  EXPECT_LE(drawn, 13000U);
}

TEST_F(Html, EmptySummaryStillMakesAPage) {
  const std::string page = page_of({});
  EXPECT_THAT(page, HasSubstr("<h1>Batch size report</h1>"));
  EXPECT_TRUE(data_of(page, "report-data").at("charts").empty());
}

}  // namespace
}  // namespace batchscope::report
