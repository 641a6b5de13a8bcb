#include <gmock/gmock.h>

#include "batchscope/report/markdown.hpp"
#include "batchscope/trace/reader.hpp"
#include "sections/report_sections.hpp"
#include "testing/summaries/diagnosed.hpp"

namespace batchscope::report {
namespace {

using advice::NamedTrace;
using ::testing::HasSubstr;
using ::testing::Not;

std::string event(const std::string& category, const std::string& name, int start, int duration,
                  const std::string& args = "") {
  return R"({"ph": "X", "cat": ")" + category + R"(", "name": ")" + name +
         R"(", "pid": 0, "tid": 7, "ts": )" + std::to_string(start) + R"(, "dur": )" +
         std::to_string(duration) + R"(, "args": {)" + args + "}}";
}

NamedTrace traced(const std::string& events, std::string of = "batch 8") {
  const auto trace = trace::TraceReader().parse("{\"traceEvents\": [" + events + "]}", "test");
  EXPECT_TRUE(trace);
  return {"run.traces/batch-8.trace.json.gz", std::move(of), advice::summarise(*trace), ""};
}

// A kernel of 30 ms, a gap of 70 ms and one of 10 ms.
NamedTrace on_a_device() {
  return traced(event("kernel", "gemm", 0, 30'000, R"("stream": 7)") + "," +
                event("kernel", "gemm", 100'000, 10'000, R"("stream": 7)"));
}

NamedTrace on_the_host() {
  return traced(event("cpu_op", "aten::tracedmm", 0, 30'000) + "," +
                event("cpu_op", "aten::tracedrelu", 40'000, 10'000));
}

std::string report_of(const std::vector<NamedTrace>& traces) {
  return markdown_report(fixtures::diagnosed(), {}, {.traces = traces});
}

TEST(Traces, AreReportedOfRightBehindTheCauses) {
  const std::vector<NamedTrace> traces{on_a_device()};
  const auto sections = report_sections(fixtures::diagnosed(), {}, {}, traces);
  const auto causes = std::find_if(sections.begin(), sections.end(),
                                   [](const Section& each) { return each.id == "causes"; });
  ASSERT_NE(causes, sections.end());
  EXPECT_EQ((causes + 1)->id, "traces");
}

TEST(Traces, OfADeviceShowItsPartsAndWhatTheTraceFinds) {
  const std::string report = report_of({on_a_device()});
  EXPECT_THAT(report, HasSubstr("### batch 8"));
  EXPECT_THAT(report, HasSubstr("GPU 0 is busy 36 % of 110 ms"));
  EXPECT_THAT(report, HasSubstr("What to change"));
  EXPECT_THAT(report, HasSubstr("gemm"));
}

TEST(Traces, OfTheHostAloneSayThatNoDeviceWasRecorded) {
  const std::string report = report_of({on_the_host()});
  EXPECT_THAT(report, HasSubstr("The trace has no device"));
  EXPECT_THAT(report, HasSubstr("aten::tracedmm"));
  EXPECT_LT(report.find("aten::tracedmm"), report.find("aten::tracedrelu"));
}

TEST(Traces, OneThatIsDamagedCostsItselfAlone) {
  const NamedTrace lost{"lost.json.gz", "", std::nullopt, "the gzip data is damaged"};
  const std::string report = report_of({lost, on_the_host()});
  EXPECT_THAT(report, HasSubstr("lost.json.gz"));
  EXPECT_THAT(report, HasSubstr("Not shown: the gzip data is damaged"));
  EXPECT_THAT(report, HasSubstr("aten::tracedmm"));
}

TEST(Traces, WithoutAnyThereIsNoSection) {
  EXPECT_THAT(report_of({}), Not(HasSubstr("traced iterations went")));
}

}  // namespace
}  // namespace batchscope::report
