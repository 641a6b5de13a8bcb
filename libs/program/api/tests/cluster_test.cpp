#include "batchscope/api/cluster.hpp"

#include <gtest/gtest.h>

#include "made_run.hpp"

namespace batchscope::api {
namespace {

using base::ErrorKind;

MeasureOptions of_job(const Folder& folder) {
  MeasureOptions options = a_law(folder / "run.jsonl");
  options.request.plan.isolation = schema::Isolation::config;
  options.request.plan.blocks_fixed = true;
  options.request.plan.blocks = 4;
  return options;
}

TEST(MakeJob, WritesWhatIsMeasuredAndAddsBlocks) {
  const Folder folder;
  Program program;
  program.version = "1.2";
  MeasureOptions options = of_job(folder);
  options.request.axes.devices = {"cpu"};
  const auto made = make_job(program, options, folder / "job");
  ASSERT_TRUE(made) << base::to_string(made.error());
  EXPECT_EQ(made->blocks, 4);
  EXPECT_EQ(made->configs.size(), 4U);
  EXPECT_EQ(made->header.tool_version, "1.2");
  options.request.plan.blocks = 9;
  options.request.seed = made->header.seed + 1;  // drawn anew: it is the job's
  const auto more = make_job(program, options, folder / "job");
  ASSERT_TRUE(more) << base::to_string(more.error());
  EXPECT_EQ(more->blocks, 9);
  EXPECT_EQ(more->header.plan.blocks, 4) << "how long visits last stays as it was";
  EXPECT_EQ(more->header.seed, made->header.seed);
  options.stated = {"--seed"};
  EXPECT_EQ(make_job(program, options, folder / "job").error().where, "--seed");
  EXPECT_FALSE(std::filesystem::exists(folder / "run.jsonl"));
}

TEST(MakeJob, RefusesWhatAJobCannotDo) {
  const Folder folder;
  const Program program;
  const auto where = [&](auto change) {
    MeasureOptions options = of_job(folder);
    change(options.request.plan);
    const auto made = make_job(program, options, folder / "job");
    EXPECT_FALSE(made);
    EXPECT_EQ(made.error().kind, ErrorKind::usage);
    return made.error().where;
  };
  using Plan = schema::MeasurementPlan;
  EXPECT_EQ(where([](Plan& plan) { plan.blocks_fixed = false; }), "--job");
  EXPECT_EQ(where([](Plan& plan) { plan.diagnose = true; }), "--diagnose");
  EXPECT_EQ(where([](Plan& plan) { plan.controls = schema::Automatic::automatic; }), "--controls");
  EXPECT_EQ(where([](Plan& plan) { plan.budget_fixed = true; }), "--budget");
  EXPECT_EQ(where([](Plan& plan) { plan.isolation = schema::Isolation::none; }), "--isolation");
  EXPECT_FALSE(std::filesystem::exists(folder / "job"));
}

TEST(MeasureBlock, RefusesWhatIsNoJobOrBlock) {
  const Folder folder;
  const Program program;
  EXPECT_EQ(measure_block(program, folder / "job", 0).error().kind, ErrorKind::input);
  ASSERT_TRUE(make_job(program, of_job(folder), folder / "job"));
  EXPECT_EQ(measure_block(program, folder / "job", 4).error().kind, ErrorKind::usage);
  EXPECT_EQ(measure_block(program, folder / "job", 2).error().kind, ErrorKind::failed)
      << "without scouts";
  Program newer;
  newer.version = "9";
  EXPECT_EQ(measure_block(newer, folder / "job", 0).error().kind, ErrorKind::input);
}

}  // namespace
}  // namespace batchscope::api
