#include "measuring/profile_flags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "batchscope/schema/tables.hpp"

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

// A value of the field that is not its default.
std::string value_to_type(const schema::Field& field) {
  const schema::Setting& setting = field.rules.setting;
  constexpr std::array kOfUnits = {"7", "77s", "7%", "3GiB"};
  if (field.kind != schema::FieldKind::word)
    return kOfUnits[static_cast<std::size_t>(setting.unit)];
  schema::MeasurementPlan plan;
  const std::string usual = schema::text_of(field, &plan).value_or("");
  const std::string first(field.words->name(0));
  if (first == "?") return "p95";  // no list of choices: a statistic
  return usual == first ? std::string(field.words->name(1)) : first;
}

// The flag with a value of its own where it takes one, and the flags that it needs.
std::vector<std::string> typed_for(std::string_view flag) {
  std::vector<std::string> typed;
  for (const schema::Field& field : schema::table_of<schema::MeasurementPlan>().fields) {
    const schema::Setting& setting = field.rules.setting;
    if (flag.empty() || setting.flag != flag) continue;
    typed = typed_for(setting.needs);
    typed.emplace_back(flag);
    if (field.kind != schema::FieldKind::boolean) typed.push_back(value_to_type(field));
  }
  return typed;
}

TEST(ProfileFlags, EverySettingReachesItsField) {
  int settings = 0;
  for (const schema::Field& field : schema::table_of<schema::MeasurementPlan>().fields) {
    const schema::Setting& setting = field.rules.setting;
    if (setting.profile.empty()) continue;
    ++settings;
    const auto options = options_typed(typed_for(setting.flag));
    ASSERT_TRUE(options) << base::to_string(options.error());
    const schema::MeasurementPlan usual;
    EXPECT_NE(schema::text_of(field, &options->request.plan), schema::text_of(field, &usual))
        << setting.flag;
    EXPECT_TRUE(options->states(setting.flag)) << setting.flag;
  }
  EXPECT_GT(settings, 10);
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
