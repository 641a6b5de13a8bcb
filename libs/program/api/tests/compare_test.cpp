#include "batchscope/api/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batchscope/api/profile.hpp"
#include "batchscope/api/trend.hpp"
#include "made_run.hpp"

namespace batchscope::api {
namespace {

using base::ErrorKind;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

schema::RunFile measured_law(const Folder& folder, const std::string& name) {
  const auto made = profile(Program{}, a_law(folder / name));
  return made.value().run;
}

TEST(Compare, SingleRunsAreDescribedAndTellNothing) {
  const Folder folder;
  std::vector<schema::RunFile> runs{measured_law(folder, "a"), measured_law(folder, "b")};
  runs[1].header.machine.cpu = "another";
  CompareOptions options;
  options.old_runs = 1;
  options.old_name = "a";
  options.new_name = "b";
  const auto compared = compare(Program{}, runs, options);
  ASSERT_TRUE(compared) << base::to_string(compared.error());
  const findings::VersionComparison* const made = &compared->versions;
  EXPECT_EQ(made->verdict, findings::VersionVerdict::cannot_tell);
  EXPECT_THAT(made->rows, SizeIs(4));
  EXPECT_THAT(made->message, HasSubstr("two single runs are not enough"));
  EXPECT_THAT(made->advice, HasSubstr("measure both versions in one run"));
  ASSERT_THAT(made->warnings, SizeIs(1));
  EXPECT_THAT(made->warnings[0], HasSubstr("machines differ"));
  runs[1].header.machine = runs[0].header.machine;
  EXPECT_THAT(compare(Program{}, runs, options)->versions.warnings, IsEmpty());
}

TEST(Compare, ItsSummaryIsLedByTheSameAnswer) {
  const Folder folder;
  const std::vector<schema::RunFile> runs{measured_law(folder, "a"), measured_law(folder, "b")};
  CompareOptions options;
  options.old_runs = 1;
  options.old_name = "v1";
  options.new_name = "v2";
  options.names = {"a.jsonl", "b.jsonl"};
  const auto made = compare(Program{}, runs, options);
  ASSERT_TRUE(made) << base::to_string(made.error());
  const findings::Summary& summary = made->summary;
  EXPECT_EQ(summary.answer.headline + ".", made->versions.message);
  EXPECT_EQ(summary.answer.confidence, findings::Confidence::cannot_tell);
  EXPECT_EQ(summary.answer.next, made->versions.advice);
  ASSERT_THAT(summary.comparisons, SizeIs(4));
  EXPECT_EQ(summary.comparisons[0].base, "v1");
  EXPECT_EQ(summary.comparisons[0].other, "v2");
  EXPECT_EQ(summary.inputs.at(1).path, "b.jsonl");
}

TEST(Compare, OneVersionAloneIsRefused) {
  const Folder folder;
  const std::vector<schema::RunFile> runs{measured_law(folder, "a")};
  const auto refused = compare(Program{}, runs, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  EXPECT_THAT(refused.error().what, HasSubstr("one version only"));
}

TEST(Trend, RunsGoInTheOrderOfTheirMaking) {
  const Folder folder;
  std::vector<LabelledRun> runs;
  for (const char* label : {"third", "first", "second"}) {
    runs.push_back({label, measured_law(folder, label)});
  }
  runs[0].run.header.created = "2026-03-01T00:00:00Z";
  runs[1].run.header.created = "2026-01-01T00:00:00Z";
  runs[2].run.header.created = "2026-02-01T00:00:00Z";
  const auto made = trend(std::move(runs));
  ASSERT_TRUE(made);
  ASSERT_THAT(made->runs, SizeIs(3));
  EXPECT_EQ(made->runs[0].label, "first");
  EXPECT_EQ(made->runs[2].label, "third");
  EXPECT_THAT(made->series, SizeIs(4));
  EXPECT_FALSE(trend({}));
}

}  // namespace
}  // namespace batchscope::api
