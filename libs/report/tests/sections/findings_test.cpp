#include <gmock/gmock.h>

#include <chrono>

#include "fixtures.hpp"
#include "sections/findings_section.hpp"

namespace batchscope::report {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

findings::Finding slow_at(findings::Place place) {
  findings::Finding finding;
  finding.where = std::move(place);
  finding.what = "Waits for the others.";
  return finding;
}

std::string sentence(const findings::Finding& finding) {
  return findings_list({finding}, base::name_of).items.front().lead.at(1).text;
}

TEST(Findings, OutsideARunStandBehindTheirPlace) {
  using Time = std::chrono::sys_time<std::chrono::milliseconds>;
  EXPECT_EQ(sentence(slow_at(findings::TraceStep{3, 120})),
            " rank 3, step 120: Waits for the others.");
  EXPECT_EQ(sentence(slow_at(findings::GpuMoment{1, Time(std::chrono::milliseconds(1500))})),
            " GPU 1 at 1970-01-01T00:00:01.500Z: Waits for the others.");
  EXPECT_EQ(sentence(slow_at({})), " Waits for the others.");
}

TEST(Findings, OutsideARunBelongToNoTable) {
  findings::Summary summary = fixtures::one_group();
  summary.findings = {slow_at(findings::TraceStep{3, 120})};
  EXPECT_THAT(findings_of(summary.groups.front(), summary), IsEmpty());
  EXPECT_THAT(findings_elsewhere(summary), SizeIs(1));
}

}  // namespace
}  // namespace batchscope::report
