#include "batchscope/api/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "batchscope/api/analyze.hpp"
#include "batchscope/api/plan.hpp"
#include "batchscope/api/recorded.hpp"
#include "made_run.hpp"

namespace batchscope::api {
namespace {

using base::ErrorKind;
using testing::HasSubstr;

TEST(Profile, WritesARunFileThatAnalyzeAndPlanRead) {
  const Folder folder;
  const auto path = folder / "run.jsonl";
  const auto made = profile(Program{}, a_law(path));
  ASSERT_TRUE(made) << base::to_string(made.error());
  EXPECT_FALSE(made->was_complete);
  EXPECT_TRUE(made->kept);
  EXPECT_EQ(made->run.visits.size(), 24U);
  const auto runs = read_runs({path.string()});
  ASSERT_TRUE(runs) << base::to_string(runs.error());
  EXPECT_EQ(runs->front().visits.size(), 24U);
  const auto summary = analyze(Program{}, *runs, {.strict = true});
  ASSERT_TRUE(summary);
  ASSERT_EQ(summary->groups.size(), 1U);
  ASSERT_EQ(summary->groups.front().rows.size(), 4U);
  EXPECT_NEAR(summary->groups.front().rows.front().time_ms.value, 7, 0.2);
  ASSERT_EQ(summary->gates.size(), 1U);
  EXPECT_EQ(summary->gates.front().name, findings::GateName::width);

  PlanOptions options;
  options.request.rate_per_s = 20;
  options.request.requests = 500;
  options.request.arrivals = *planning::parse_arrivals("poisson");
  const auto planned = plan(runs->front(), path.string(), options);
  ASSERT_TRUE(planned) << base::to_string(planned.error());
  EXPECT_TRUE(planned->recommended);
}

TEST(Profile, ACompleteRunIsReturnedAsItIs) {
  const Folder folder;
  MeasureOptions options = a_law(folder / "run.jsonl");
  ASSERT_TRUE(profile(Program{}, options));
  options.request.models.clear();
  options.file.resume = true;
  const auto again = profile(Program{}, options);
  ASSERT_TRUE(again) << base::to_string(again.error());
  EXPECT_TRUE(again->was_complete);
  EXPECT_EQ(again->run.visits.size(), 24U);
}

TEST(Profile, WhatIsStatedOtherwiseThanRecordedIsNamed) {
  const Folder folder;
  MeasureOptions options = a_law(folder / "run.jsonl");
  ASSERT_TRUE(profile(Program{}, options));
  options.file.resume = true;
  options.request.plan.blocks = 7;
  EXPECT_TRUE(profile(Program{}, options)) << "what is not stated is the file's";
  options.stated = {"--blocks"};
  const auto refused = profile(Program{}, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  EXPECT_EQ(refused.error().where, "--blocks");
  EXPECT_THAT(refused.error().what, HasSubstr("6 blocks, not 7 blocks"));
}

TEST(Profile, AFileThatExistsStays) {
  const Folder folder;
  const auto path = folder / "run.jsonl";
  std::ofstream(path) << "mine\n";
  const auto refused = profile(Program{}, a_law(path));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  EXPECT_THAT(refused.error().fix, HasSubstr("--on-existing overwrite"));
  EXPECT_EQ(std::filesystem::file_size(path), 5U);
}

TEST(Profile, ErrorsNameTheirSubject) {
  const Folder folder;
  MeasureOptions options = a_law(folder / "run.jsonl");
  options.request.models.clear();
  EXPECT_EQ(profile(Program{}, options).error().where, "-m");
  options = a_law(folder / "run.jsonl");
  options.request.plan.isolation = schema::Isolation::config;
  EXPECT_EQ(profile(Program{}, options).error().where, "--isolation") << "without a worker";
  EXPECT_FALSE(std::filesystem::exists(folder / "run.jsonl"));
}

TEST(Profile, AStopBeforeTheFirstVisitLeavesNothing) {
  const Folder folder;
  int begun = 0;
  std::stop_source source;
  Program program;
  program.stop = source.get_token();
  program.before_measuring = [&] {
    ++begun;
    source.request_stop();
  };
  const auto stopped = profile(program, a_law(folder / "run.jsonl"));
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::interrupted);
  EXPECT_EQ(begun, 1);
  EXPECT_FALSE(std::filesystem::exists(folder / "run.jsonl"));
}

TEST(ProfileJob, ShowsThePlanAndWritesNothing) {
  const Folder folder;
  const auto job = profile_job(Program{}, a_law(folder / "run.jsonl"));
  ASSERT_TRUE(job);
  EXPECT_EQ(job->configs.size(), 4U);
  EXPECT_FALSE(std::filesystem::exists(folder / "run.jsonl"));
}

TEST(EnginesFor, AreThoseThatTheModelsNeed) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(engines_for({"synthetic:affine:5ms,2ms"}, {}), Names{"synthetic"});
  EXPECT_EQ(engines_for({"torch=a.pt,openvino=a.xml"}, {}), (Names{"torch", "openvino"}));
  EXPECT_EQ(engines_for({"a.onnx"}, {}), Names{"openvino"});
  EXPECT_EQ(engines_for({}, {}).size(), 1U);
}

}  // namespace
}  // namespace batchscope::api
