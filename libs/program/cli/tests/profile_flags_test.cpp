#include "measuring/profile_flags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace batchscope::cli {
namespace {

using base::ErrorKind;
using base::Result;
using testing::ElementsAre;
using testing::HasSubstr;

ProfileFlags typed_flags(std::vector<std::string> arguments) {
  CLI::App app;
  ProfileFlags flags;
  add_flags(app, flags);
  std::reverse(arguments.begin(), arguments.end());
  app.parse(arguments);
  return flags;
}

Result<api::MeasureOptions> options_typed(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"-m", "synthetic:affine:5ms,2ms"});
  return read_flags(typed_flags(std::move(arguments)), {"batchscope", "profile"});
}

TEST(ProfileFlags, BecomeOptions) {
  const auto options = options_typed(
      {"-b", "1-8*2", "--blocks", "6", "--memory-limit", "1GiB", "-o", "run.jsonl", "--resume"});
  ASSERT_TRUE(options) << base::to_string(options.error());
  EXPECT_THAT(options->request.axes.batch_sizes, ElementsAre(1, 2, 4, 8));
  EXPECT_EQ(options->request.plan.blocks, 6);
  EXPECT_EQ(options->request.plan.memory_limit_bytes, int64_t{1} << 30);
  EXPECT_THAT(options->engines, ElementsAre("synthetic"));
  EXPECT_EQ(options->file.path, "run.jsonl");
  EXPECT_TRUE(options->file.resume);
  EXPECT_TRUE(options->states("--blocks"));
  EXPECT_TRUE(options->states("--batch-sizes"));
  EXPECT_FALSE(options->states("--seed")) << "it is drawn, not typed";
  EXPECT_EQ(options->request.axes_as_typed.at("batch_size"), "1-8*2");
}

TEST(ProfileFlags, EnvironmentsAreMultiplied) {
  const auto options = options_typed({"--env", "A=1,2", "--env", "B=,x"});
  ASSERT_TRUE(options) << base::to_string(options.error());
  EXPECT_EQ(options->request.axes.environments.size(), 4U);
}

TEST(ProfileFlags, ErrorsNameTheFlag) {
  const auto place = [](std::vector<std::string> arguments) {
    return options_typed(std::move(arguments)).error().where;
  };
  EXPECT_EQ(place({"--budget", "nonsense"}), "--budget");
  EXPECT_EQ(place({"--accumulation", "2"}), "--accumulation, --effective-batch");
  EXPECT_EQ(read_flags(typed_flags({}), {}).error().where, "--model");
}

TEST(ProfileFlags, ThatHaveNoMeaningTogetherAreRefused) {
  EXPECT_THROW(typed_flags({"--blocks", "6", "--target", "5%"}), CLI::ExcludesError);
  EXPECT_THROW(typed_flags({"--accumulation", "2", "--effective-batch", "8"}), CLI::ExcludesError);
  EXPECT_THROW(typed_flags({"--force"}), CLI::RequiresError);
  EXPECT_THROW(typed_flags({"--diagnose-budget", "1m"}), CLI::RequiresError);
}

TEST(EnginesOf, WhatIsTypedGoesFirst) {
  EXPECT_THAT(engines_of(typed_flags({"-m", "a.onnx", "--engine", "torch, openvino"})),
              ElementsAre("torch", "openvino"));
  EXPECT_THAT(engines_of(typed_flags({"-m", "a.onnx"})), ElementsAre("openvino"));
}

TEST(CommandLine, IsWhatWasTyped) {
  EXPECT_THAT(command_line_of("profile", {"-m", "mlp"}),
              ElementsAre("batchscope", "profile", "-m", "mlp"));
}

}  // namespace
}  // namespace batchscope::cli
