#include "batchscope/api/tune.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "made_run.hpp"

namespace batchscope::api {
namespace {
using testing::HasSubstr;

TuneOptions tuned_law(const std::filesystem::path& path) {
  TuneOptions options;
  measure_a_law(options, path);
  return options;
}

TEST(Tune, SearchesTheGridInVirtualTime) {
  const Folder folder;
  const auto made = tune(Program{}, tuned_law(folder / "tune.jsonl"));
  ASSERT_TRUE(made) << base::to_string(made.error());
  EXPECT_EQ(made->tuning.points_total, 12);
  ASSERT_TRUE(made->tuning.pick);
  EXPECT_FALSE(made->tuning.message.empty());
  EXPECT_EQ(made->tuning.run, (folder / "tune.jsonl").string());
  const tune::Deployment deployed = deployment_of(Program{}, made->tuning, made->run.header.models);
  EXPECT_GT(deployed.config.shape.batch_size, 8) << "5 ms are shared by all samples of a batch";
}

TEST(TuneJob, HasTheDefaultGrid) {
  TuneOptions options = tuned_law("unused.jsonl");
  const auto found = tune_job(Program{}, options);
  ASSERT_TRUE(found) << base::to_string(found.error());
  EXPECT_EQ(found->job.configs.size(), default_tune_sizes().size());
  options.max_batch_size = 4;
  EXPECT_EQ(tune_job(Program{}, options)->job.configs.size(), 4U);
}

TEST(TuneJob, ErrorsNameTheirSubject) {
  TuneOptions options = tuned_law("unused.jsonl");
  options.request.axes.batch_sizes = {8};
  options.stated = {"--batch-sizes"};
  options.max_batch_size = 4;
  EXPECT_EQ(tune_job(Program{}, options).error().where, "--max-batch-size");
  options = tuned_law("unused.jsonl");
  options.request.axes.modes = {schema::Mode::infer, schema::Mode::train};
  EXPECT_EQ(tune_job(Program{}, options).error().where, "--mode");
}

TEST(Replay, SearchesATable) {
  const Folder folder;
  std::ofstream(folder / "table.csv") << "batch,time_ms\n1,10\n2,11\n4,13\n8,17\n16,40\n";
  ReplayOptions options;
  options.table = folder / "table.csv";
  int reported = 0;
  const auto tuning = replay(
      Program{}, options, [&](const tune::Suggestion&, const schema::RunConfig&) { ++reported; });
  ASSERT_TRUE(tuning) << base::to_string(tuning.error());
  EXPECT_EQ(reported, tuning->visits);
  ASSERT_TRUE(tuning->best);
  EXPECT_EQ(tuning->best->shape.batch_size, 8);
}

// 5 ms and 2 ms a sample.
TEST(Replay, KeepsTheBoundsOfTheRecordedRun) {
  const Folder folder;
  TuneOptions made = tuned_law(folder / "tune.jsonl");
  made.plan.goal.latency_budget_s = 0.030;
  ASSERT_TRUE(tune(Program{}, made));
  ReplayOptions options;
  options.table = folder / "tune.jsonl";
  const auto kept = replay(Program{}, options);
  ASSERT_TRUE(kept && kept->pick) << base::to_string(kept.error());
  EXPECT_LE(kept->points[*kept->pick].config.shape.batch_size, 12);
  EXPECT_THAT(kept->warnings, testing::Contains(HasSubstr("--latency-budget")));
  options.plan.goal.latency_budget_s = 10;
  const auto other = replay(Program{}, options);
  ASSERT_TRUE(other && other->pick);
  EXPECT_GT(other->points[*other->pick].config.shape.batch_size, 12);
}

}  // namespace
}  // namespace batchscope::api
