#include <gmock/gmock.h>

#include <limits>

#include "approval/approval.hpp"
#include "batchscope/monitor_report/monitor_page.hpp"
#include "made_logs.hpp"
#include "testing/summaries/hostile_texts.hpp"

namespace batchscope::monitor_report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string markdown_of(const testing::MadeLog& made) {
  return markdown(testing::view_of(made));
}

TEST(MonitorMarkdown, IsAsApproved) {
  approval::expect_approved("trained.md.txt", markdown_of(testing::trained()));
  approval::expect_approved("healthy.md.txt", markdown_of(testing::healthy()));
  approval::expect_approved("lost_gpu.md.txt", markdown_of(testing::lost_gpu()));
  approval::expect_approved("without_gpu.md.txt", markdown_of(testing::without_gpu()));
  approval::expect_approved("empty.md.txt", markdown_of(testing::empty()));
}

TEST(MonitorMarkdown, LeadsWithWhatIsBeforeWhatIsOver) {
  testing::MadeLog made = testing::trained();
  made.active_findings.front().ended_ns = made.active_findings.front().since_ns + 1;
  made.active_findings[1].ended_ns.reset();
  EXPECT_THAT(markdown_of(made), HasSubstr("## GPU 1 is slowed down"));
  made.active_findings[1].ended_ns = made.active_findings[1].since_ns + 1;
  EXPECT_THAT(markdown_of(made), HasSubstr("## Steps take 23 % longer"));
}

TEST(MonitorMarkdown, SaysForHowLongInAllWhatComesAndGoesWas) {
  testing::MadeLog made = testing::trained();
  watch::ActiveFinding& first = made.active_findings.front();
  constexpr int64_t kMinuteNs = 60'000'000'000;
  const int64_t since_ns = first.since_ns;
  first.times = 2;
  first.gaps_seconds = 60;
  first.ended_ns = since_ns + 3 * kMinuteNs;
  first.episodes = {{since_ns, since_ns + kMinuteNs}, {since_ns + 2 * kMinuteNs, first.ended_ns}};
  EXPECT_THAT(markdown_of(made), HasSubstr(", 2 min 0 s in total; over now"));
  const std::string page = html(testing::view_of(made)).value();
  size_t bands = 0;
  for (size_t at = 0; (at = page.find(R"("card":1})", at)) != std::string::npos; ++at) ++bands;
  EXPECT_EQ(bands, 2U);
}

TEST(MonitorMarkdown, SaysWhatCouldNotBeRead) {
  testing::MadeLog made = testing::healthy();
  made.log.unread_lines = 2;
  made.log.first_problem = "line 12: time_ns is missing";
  EXPECT_THAT(markdown_of(made), HasSubstr("Ignored 2 lines of the log (line 12: time"));
}

TEST(MonitorMarkdown, TellsOfLossesThatAreNotFinite) {
  testing::MadeLog made = testing::trained();
  made.log.steps[100].loss.reset();
  made.log.steps[100].loss_word = "nan";
  EXPECT_THAT(markdown_of(made), HasSubstr("**1, first at step 100**"));
}

TEST(MonitorMarkdown, CountsEnergyAcrossAResetOfTheCounter) {
  testing::MadeLog made = testing::healthy(1, 101);  // 62 kJ
  for (size_t i = 50; i < 101; ++i) *made.log.samples[i].gpus[0].energy_joules_total -= 1e9;
  EXPECT_THAT(markdown_of(made), HasSubstr("17.1 Wh")) << "99 of 100 seconds at 620 W";
  for (auto& sample : made.log.samples) sample.gpus[0].energy_joules_total.reset();
  EXPECT_THAT(markdown_of(made), HasSubstr("16.9 Wh")) << "by its power";
}

TEST(MonitorMarkdown, TimesOfNoYearDoNoHarm) {
  testing::MadeLog made = testing::trained();
  made.log.samples[5].time_ns = -1;
  made.log.samples.back().time_ns = std::numeric_limits<int64_t>::max();
  made.log.steps.front().time_ns = std::numeric_limits<int64_t>::min();
  made.active_findings.front().since_ns = std::numeric_limits<int64_t>::min();
  made.active_findings[1].ended_ns = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(markdown_of(made), HasSubstr("2262-04-11"));
}

TEST(MonitorMarkdown, NoTextBecomesMarkup) {
  for (const std::string& text : fixtures::hostile_texts()) {
    testing::MadeLog made = testing::hostile(text);
    made.log.header.command.clear();  // which stands in a code span, where nothing is markup
    const std::string page = markdown_of(made);
    EXPECT_THAT(page, Not(HasSubstr("<script"))) << text;
    EXPECT_THAT(page, Not(HasSubstr("<img"))) << text;
  }
}

}  // namespace
}  // namespace batchscope::monitor_report
