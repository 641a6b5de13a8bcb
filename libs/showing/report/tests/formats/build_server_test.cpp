#include "batchscope/report/build_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace batchscope::report {
namespace {

using findings::Gate;
using findings::Outcome;
using testing::HasSubstr;
using testing::Not;

Gate gate_with(Outcome outcome, const std::string& name, const std::string& message) {
  Gate gate;
  gate.name = findings::GateName::regression;
  gate.outcome = outcome;
  gate.message = "the verdict";
  if (outcome == Outcome::inconclusive) gate.advice = "More blocks.";
  findings::GateCheck check;
  check.name = name;
  check.outcome = outcome;
  check.message = message;
  gate.checks = {check};
  return gate;
}

TEST(JunitXml, CountsAndNamesWhatItHolds) {
  const std::vector<Gate> gates{gate_with(Outcome::failed, "batch 4", "slower"),
                                gate_with(Outcome::inconclusive, "batch 8", "open"),
                                gate_with(Outcome::passed, "batch 1", "fine")};
  const std::string xml = junit_xml(gates);
  EXPECT_THAT(xml, HasSubstr("<testsuites name=\"batchscope\" tests=\"3\" failures=\"1\" "
                             "errors=\"1\" skipped=\"0\">"));
  EXPECT_THAT(xml, HasSubstr("<failure type=\"regression\" message=\"slower\"/>"));
  EXPECT_THAT(xml, HasSubstr("<error type=\"inconclusive\" message=\"open More blocks.\"/>"));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"batchscope.regression\" name=\"batch 1\">"));
  const std::string allowed = junit_xml(gates, {.allow_inconclusive = true});
  EXPECT_THAT(allowed, HasSubstr("errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(allowed, HasSubstr("<skipped message=\"open More blocks.\"/>"));
}

TEST(JunitXml, AnyTextIsSafe) {
  const std::string hostile = "a<b>&\"'\n\x01\x1b[31m]]>\xEF\xBF\xBF\xFF";
  const std::vector<Gate> gates{gate_with(Outcome::failed, hostile, hostile)};
  const std::string xml = junit_xml(gates);
  EXPECT_THAT(xml, HasSubstr("message=\"a&lt;b&gt;&amp;&quot;&apos; "));
  EXPECT_THAT(xml, Not(HasSubstr("\x1b")));
  EXPECT_THAT(xml, Not(HasSubstr("\x01")));
  EXPECT_THAT(xml, Not(HasSubstr("\xEF\xBF\xBF")));
  EXPECT_THAT(xml, Not(HasSubstr("\xFF")));
}

TEST(GithubAnnotations, ALineForTheVerdictAndForWhatDidNotPass) {
  EXPECT_EQ(github_annotations(std::vector{gate_with(Outcome::failed, "batch 4", "10 % slower")}),
            "::error title=batchscope%3A regression::the verdict\n"
            "::error title=batchscope%3A regression%2C batch 4::10 %25 slower\n");
  EXPECT_EQ(github_annotations(std::vector{gate_with(Outcome::passed, "batch 4", "fine")}),
            "::notice title=batchscope%3A regression::the verdict\n");
  const std::vector<Gate> open{gate_with(Outcome::inconclusive, "batch 4", "open")};
  EXPECT_THAT(github_annotations(open), HasSubstr("::error title=batchscope%3A regression::the "
                                                  "verdict%0AMore blocks.\n"));
  EXPECT_THAT(github_annotations(open, {.allow_inconclusive = true}),
              testing::StartsWith("::warning "));
}

TEST(GithubAnnotations, NoTextBeginsACommandOfItsOwn) {
  const std::string hostile = "x\n::stop-commands::y\r\n100%";
  const std::string lines =
      github_annotations(std::vector{gate_with(Outcome::failed, hostile, hostile)});
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
  EXPECT_THAT(lines, HasSubstr("::x%0A::stop-commands::y%0D%0A100%25\n"));
  EXPECT_THAT(lines, HasSubstr("x%0A%3A%3Astop-commands%3A%3Ay%0D%0A100%25::x"));
}

}  // namespace
}  // namespace batchscope::report
