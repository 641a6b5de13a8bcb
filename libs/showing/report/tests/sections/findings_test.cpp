#include <gmock/gmock.h>

#include <chrono>

#include "sections/findings_section.hpp"
#include "testing/summaries/fixtures.hpp"

namespace batchscope::report {
namespace {

using document::Tone;
using ::testing::SizeIs;

findings::Finding slow_at(findings::Place place) {
  findings::Finding finding;
  finding.where = std::move(place);
  finding.what = "Waits for the others.";
  return finding;
}

std::string sentence(const findings::Finding& finding) {
  return findings_list({finding}).items.front().lead.at(1).text;
}

TEST(NothingIsOut, WhereNoTableHasTwoSizesNoneCould) {
  findings::Summary summary = fixtures::one_group();
  const std::string none = no_outliers(summary);
  summary.groups.front().rows.resize(1);
  EXPECT_NE(no_outliers(summary), none);
}

TEST(Findings, OutsideARunBeBehindTheirPlace) {
  using Time = std::chrono::sys_time<std::chrono::milliseconds>;
  EXPECT_EQ(sentence(slow_at(findings::TraceStep{3, 120})),
            " rank 3, step 120: Waits for the others.");
  EXPECT_EQ(sentence(slow_at(findings::GpuMoment{1, Time(std::chrono::milliseconds(1500))})),
            " GPU 1 at 1970-01-01T00:00:01.500Z: Waits for the others.");
  EXPECT_EQ(sentence(slow_at({})), " Waits for the others.");
}

findings::Finding at_size(int64_t size, const char* what) {
  schema::RunConfig config;
  config.model = "m";
  config.shape.batch_size = size;
  findings::Finding finding = slow_at(config);
  finding.batch_sizes = {size};
  finding.what = what;
  finding.fix = std::string("Mend ") + what;
  return finding;
}

TEST(Findings, OfOneSizeAreOneItemWithALineEach) {
  const document::List list = findings_list({at_size(4, "a"), at_size(8, "b"), at_size(4, "c")});
  ASSERT_THAT(list.items, SizeIs(2));
  EXPECT_EQ(list.items[0].lead.at(1).text, " a");
  EXPECT_EQ(list.items[1].lead.at(1).text, " b");
  std::vector<std::string> printed;
  for (const document::KeyValue& field : list.items[0].fields)
    printed.push_back(field.label + " " + field.text);
  EXPECT_THAT(printed, ::testing::IsSupersetOf({"do Mend a", "also c (suspect)", "do Mend c"}));
}

TEST(Findings, WhatIsBetterIsNoAlarm) {
  findings::Finding better = at_size(4, "better");
  better.id = "scaling.departure";
  better.evidence = {{"excess_over_law", {-0.2, std::nullopt}, "ratio"}};
  const document::Item item = findings_list({better}).items.front();
  EXPECT_EQ(item.lead.front().text, "BETTER, suspect:");
  EXPECT_EQ(item.lead.front().tone, Tone::plain);
}

TEST(Findings, AreGreenWhereTheyAreShownAlone) {
  const auto tone = [](const findings::Finding& finding) {
    return findings_list({finding}).items.front().lead.front().tone;
  };
  findings::Finding better = at_size(4, "better");
  better.id = "scaling.departure";
  better.evidence = {{"excess_over_law", {-0.2, std::nullopt}, "ratio"}};
  better.status = findings::Status::proven;
  EXPECT_EQ(tone(better), Tone::good);
  findings::Finding info = at_size(4, "info");
  info.status = findings::Status::measured;
  EXPECT_EQ(tone(info), Tone::plain);
}

}  // namespace
}  // namespace batchscope::report
