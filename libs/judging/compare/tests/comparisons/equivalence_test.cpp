#include "batchscope/compare/equivalence.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace batchscope::compare {
namespace {

using schema::Precision;
using schema::RunConfig;
using testing::HasSubstr;

RunConfig config_of(Precision precision, schema::Mode mode, std::string engine = "torch") {
  RunConfig config;
  config.engine = std::move(engine);
  config.model = "mlp";
  config.precision = precision;
  config.mode = mode;
  return config;
}

schema::Visit visit_of(int config, std::vector<double> losses) {
  schema::Visit visit;
  visit.config = config;
  visit.samples_ns = {1'000'000};
  visit.losses = std::move(losses);
  return visit;
}

std::optional<findings::LeftOutReason> reason(const schema::RunFile& run, std::size_t config) {
  const auto mismatch = find_mismatch(run, run.configs[config], run.configs[0]);
  return mismatch ? std::optional(mismatch->reason) : std::nullopt;
}

TEST(Equivalence, AnEngineNeedsOutputsThatAreAlike) {
  schema::RunFile run;
  run.configs = {config_of(Precision::fp32, schema::Mode::infer),
                 config_of(Precision::fp32, schema::Mode::infer, "other")};
  const auto unknown = find_mismatch(run, run.configs[1], run.configs[0]);
  ASSERT_TRUE(unknown);
  EXPECT_THAT(unknown->message, HasSubstr("not compared"));
  run.outputs = {{1, 0, 0.7, 0.5, 10}};
  EXPECT_THAT(find_mismatch(run, run.configs[1], run.configs[0])->message,
              HasSubstr("does not compute the same as torch"));
  run.outputs[0].cosine = 0.9999;
  EXPECT_EQ(reason(run, 1), std::nullopt);
  EXPECT_EQ(reason(run, 0), std::nullopt);
}

TEST(Equivalence, WhatIsCompiledIsHeldAgainstEager) {
  schema::RunFile run;
  run.configs = {config_of(Precision::fp32, schema::Mode::infer, "python"),
                 config_of(Precision::fp32, schema::Mode::infer, "python")};
  run.configs[0].compile = false;
  run.configs[1].compile = true;
  EXPECT_EQ(reason(run, 1), std::nullopt);  // nothing speaks against it
  run.outputs = {{1, 0, 0.7, 0.5, 10}};
  EXPECT_EQ(reason(run, 0), std::nullopt);
  EXPECT_THAT(find_mismatch(run, run.configs[1], run.configs[0])->message,
              HasSubstr("compiled, it does not compute the same as eager"));
}

TEST(Equivalence, ADeviceIsHeldAgainstTheUsualOne) {
  schema::RunFile run;
  run.configs = {config_of(Precision::fp32, schema::Mode::infer),
                 config_of(Precision::fp32, schema::Mode::infer)};
  run.configs[0].device = "cpu";
  run.configs[1].device = "cuda:0";
  EXPECT_EQ(reason(run, 1), std::nullopt);  // nothing speaks against it
  run.outputs = {{1, 0, 0.7, 0.5, 10}};
  EXPECT_EQ(reason(run, 0), std::nullopt);
  EXPECT_THAT(find_mismatch(run, run.configs[1], run.configs[0])->message,
              HasSubstr("cuda:0 does not compute the same as cpu"));
  run.outputs[0].cosine = 0.9999;
  EXPECT_EQ(reason(run, 1), std::nullopt);
}

TEST(Equivalence, APrecisionIsHeldAgainstFp32) {
  schema::RunFile run;
  run.configs = {config_of(Precision::fp32, schema::Mode::infer),
                 config_of(Precision::bf16, schema::Mode::infer)};
  EXPECT_EQ(reason(run, 1), std::nullopt);  // nothing speaks against it
  run.outputs = {{1, 0, 0.7, 0.5, 10}};
  EXPECT_EQ(reason(run, 1), findings::LeftOutReason::outputs);
  EXPECT_EQ(reason(run, 0), std::nullopt);
  run.outputs[0].cosine = 0.9995;
  EXPECT_EQ(reason(run, 1), std::nullopt);
}

TEST(Equivalence, TrainingIsHeldAgainstTheLossesOfFp32AtTheSameSize) {
  schema::RunFile run;
  run.configs = {config_of(Precision::fp32, schema::Mode::train),
                 config_of(Precision::bf16, schema::Mode::train)};
  run.visits = {visit_of(0, {1, 0.5, 0.25}), visit_of(1, {1, 0.51})};
  EXPECT_EQ(reason(run, 1), std::nullopt);
  run.visits[1].losses = {1, 0.6};
  EXPECT_EQ(reason(run, 1), findings::LeftOutReason::loss);
  EXPECT_EQ(reason(run, 0), std::nullopt);
  // Another setting in that precision is as doubtful.
  run.configs.push_back(run.configs[1]);
  run.configs.back().shape.batch_size = 8;
  EXPECT_EQ(reason(run, 2), findings::LeftOutReason::loss);
  run.visits[1].losses = {1, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(reason(run, 1), findings::LeftOutReason::loss);
}

TEST(Equivalence, ALossThatIsNotFiniteEndsAPrecision) {
  schema::RunFile run;
  run.configs = {config_of(Precision::fp32, schema::Mode::train),
                 config_of(Precision::fp16, schema::Mode::train)};
  schema::Event event;
  event.kind = schema::EventKind::error;
  event.where.config = 1;
  event.what = "the loss is nan";
  run.events = {event};
  EXPECT_EQ(reason(run, 1), findings::LeftOutReason::loss);
  EXPECT_EQ(reason(run, 0), std::nullopt);
}

}  // namespace
}  // namespace batchscope::compare
