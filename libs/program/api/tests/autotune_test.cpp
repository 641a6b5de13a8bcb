#include "batchscope/api/autotune.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "batchscope/base/file.hpp"
#include "made_run.hpp"

namespace batchscope::api {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

void give(AutotuneOptions& options, double budget_s) {
  options.tune.stated.insert("--budget");
  options.tune.request.plan.budget_s = budget_s;
}

// With time enough to search the whole grid.
AutotuneOptions a_service(const Folder& folder) {
  AutotuneOptions options;
  measure_a_law(options.tune, {});
  options.cache = folder / "cache";
  give(options, 600);
  return options;
}

Autotuned expect_setting(const AutotuneOptions& options, const Program& program = {}) {
  auto found = autotune(program, options);
  EXPECT_TRUE(found) << base::to_string(found.error());
  return found ? *std::move(found) : Autotuned{};
}

// The one file with this ending.
fs::path kept_file(const fs::path& folder, const std::string& ending) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ending) return entry.path();
  }
  return {};
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Autotune, IsMeasuredOnceAndReadThen) {
  const Folder folder;
  const Autotuned first = expect_setting(a_service(folder));
  EXPECT_EQ(first.source, SettingSource::measured);
  EXPECT_GT(first.setting.config.shape.batch_size, 8) << "5 ms are shared by a batch";
  const std::string measured = text_of(first.run);
  const Autotuned second = expect_setting(a_service(folder));
  EXPECT_EQ(second.source, SettingSource::cache);
  EXPECT_EQ(second.setting.config, first.setting.config);
  EXPECT_EQ(second.setting.throughput_per_s, first.setting.throughput_per_s);
  EXPECT_EQ(second.verified, first.verified);
  EXPECT_EQ(second.answer.headline, first.answer.headline);
  EXPECT_EQ(text_of(second.run), measured);
}

TEST(Autotune, WhatItHoldsForIsInItsName) {
  const Folder folder;
  const Autotuned first = expect_setting(a_service(folder));
  AutotuneOptions other = a_service(folder);
  other.tune.request.models = {"synthetic:affine:5ms,3ms;visit_sd=0.01"};
  EXPECT_EQ(expect_setting(other).source, SettingSource::measured);
  other = a_service(folder);
  other.tune.max_batch_size = 8;
  EXPECT_LE(expect_setting(other).setting.config.shape.batch_size, 8);
  other = a_service(folder);
  other.tune.request.axes.batch_sizes = {1, 2};
  other.tune.stated.insert("--batch-sizes");
  EXPECT_EQ(expect_setting(other).setting.config.shape.batch_size, 2);
  Program newer;
  newer.version = "99";
  EXPECT_EQ(expect_setting(a_service(folder), newer).source, SettingSource::measured);
  AutotuneOptions again = a_service(folder);
  again.tune.request.created = "2030-01-01T00:00:00Z";
  again.tune.request.seed = 12;
  EXPECT_EQ(expect_setting(again).source, SettingSource::cache);
}

TEST(Autotune, WhatWasKilledInTheMiddleIsGoneOnWith) {
  const Folder folder;
  const fs::path run = expect_setting(a_service(folder)).run;
  const std::string full = text_of(run);
  std::string torn = full.substr(0, full.size() / 2);
  std::ofstream(run) << torn;
  torn.resize(torn.rfind('\n') + 1);
  EXPECT_EQ(expect_setting(a_service(folder)).source, SettingSource::measured);
  EXPECT_TRUE(text_of(run).starts_with(torn)) << "what was measured stays";
  EXPECT_EQ(expect_setting(a_service(folder)).source, SettingSource::cache);
}

TEST(Autotune, WhatTheBudgetEndedIsGoneOnWith) {
  const Folder folder;
  AutotuneOptions options = a_service(folder);
  give(options, 5);
  Autotuned found = expect_setting(options);
  ASSERT_EQ(found.end_reason, schema::EndReason::budget);
  EXPECT_FALSE(found.verified);
  EXPECT_GT(found.points_measured, 0);
  EXPECT_LT(found.points_measured, found.points_total);
  const std::string begun = text_of(found.run);
  found = expect_setting(options);
  EXPECT_EQ(found.source, SettingSource::measured);
  EXPECT_TRUE(text_of(found.run).starts_with(begun));
  for (int calls = 0; found.source != SettingSource::cache; ++calls) {
    ASSERT_LT(calls, 50);
    found = expect_setting(options);
  }
  EXPECT_NE(found.end_reason, schema::EndReason::budget);
}

TEST(Autotune, WhatCannotBeGoneOnWithIsMeasuredAnew) {
  const Folder folder;
  AutotuneOptions options = a_service(folder);
  give(options, 5);
  const fs::path run = expect_setting(options).run;
  std::string text = text_of(run);
  text.replace(text.find("\"host\":\""), 8, "\"host\":\"other-");
  std::ofstream(run) << text;
  EXPECT_EQ(expect_setting(options).source, SettingSource::measured);
  EXPECT_EQ(text_of(run).find("other-"), std::string::npos);
}

TEST(Autotune, WhatIsNoRunFileIsMeasuredAnew) {
  const Folder folder;
  const fs::path run = expect_setting(a_service(folder)).run;
  std::ofstream(run) << "rubbish\n";
  EXPECT_EQ(expect_setting(a_service(folder)).source, SettingSource::measured);
}

TEST(Autotune, WhileAnotherMeasuresTheFallbackIsTaken) {
  const Folder folder;
  AutotuneOptions options = a_service(folder);
  const fs::path run = expect_setting(options).run;
  const auto other = base::FileLock::take(kept_file(options.cache, ".lock"), false);
  ASSERT_TRUE(other && other->has_value());
  options.fallback.emplace();
  options.fallback->shape.batch_size = 3;
  EXPECT_EQ(expect_setting(options).source, SettingSource::cache) << "what is there is read";
  fs::remove(run);
  const Autotuned found = expect_setting(options);
  EXPECT_EQ(found.source, SettingSource::fallback);
  EXPECT_EQ(found.setting.config.shape.batch_size, 3);
}

TEST(Autotune, AFolderThatCannotBeWrittenIsReportedAndDoneWithout) {
  const Folder folder;
  Program program;
  std::string reported;
  program.tell = [&](const std::string& line) { reported += line; };
  AutotuneOptions options = a_service(folder);
  options.cache = "/proc/none";
  const Autotuned found = expect_setting(options, program);
  EXPECT_EQ(found.source, SettingSource::measured);
  EXPECT_TRUE(found.run.empty());
  EXPECT_THAT(reported, HasSubstr("/proc/none"));
  options.cache.clear();
  EXPECT_EQ(expect_setting(options, program).source, SettingSource::measured);
}

TEST(Autotune, AWrongRequestIsAnErrorAndKeepsNothing) {
  const Folder folder;
  AutotuneOptions options = a_service(folder);
  options.tune.request.models = {"synthetic:none:1"};
  EXPECT_FALSE(autotune({}, options));
  EXPECT_FALSE(fs::exists(options.cache));
}

}  // namespace
}  // namespace batchscope::api
