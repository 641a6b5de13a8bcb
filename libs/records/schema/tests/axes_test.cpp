#include "batchscope/schema/axes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "testing/runs/changed_fields.hpp"
#include "testing/runs/sample_run.hpp"

namespace batchscope::schema {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

RunConfig forgotten(RunConfig config) {
  for (const Axis& each : axes()) each.forget(config);
  return config;
}

std::vector<std::string> typed(const RunConfig& config) {
  std::vector<std::string> words;
  for (const Axis& each : axes()) {
    for (const Argument& argument : each.arguments(config)) {
      words.push_back(argument.flag + " " + argument.value);
    }
  }
  return words;
}

TEST(Axes, AreInTheOrderOfTheirIds) {
  for (std::size_t i = 0; i < kAxes; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(axes()[i].id), i) << axes()[i].name;
  }
}

// A field that no axis forgets would tell configurations apart that nothing can name.
TEST(Axes, AreAllThatAConfigurationHas) {
  EXPECT_EQ(forgotten(sample_mix_config()), forgotten(RunConfig{}));
}

TEST(Axes, ForgetEachField) {
  for (const ChangedField& changed : each_field_changed(sample_config())) {
    EXPECT_EQ(forgotten(changed.config), forgotten(RunConfig{})) << changed.field;
  }
}

// What is told apart by words alone has words that tell it apart; what is typed is what is read.
TEST(Axes, WithPlainValuesReadWhatAsksForThem) {
  for (const ChangedField& changed : each_field_changed(RunConfig{})) {
    for (const Axis& each : axes()) {
      if (!each.plain || each.name != changed.field) continue;
      const auto arguments = each.arguments(changed.config);
      ASSERT_EQ(arguments.size(), 1U) << each.name;
      RunConfig read;
      EXPECT_TRUE(each.plain.read(arguments.front().value, read)) << each.name;
      EXPECT_EQ(read, changed.config);
      EXPECT_NE(each.words(read), each.words(RunConfig{}));
      EXPECT_NE(each.described(read), each.described(RunConfig{}));
      EXPECT_FALSE(each.plain.read("", read));
      EXPECT_FALSE(each.plain.help.empty());
    }
  }
}

TEST(ProcessOf, KeepsWhatAProcessHasOneValueOf) {
  RunConfig other = sample_config();
  other.threads = 7;
  other.shape.batch_size = 99;
  EXPECT_EQ(process_of(other), process_of(sample_config()));
  other.environment["ANOTHER"] = "1";
  EXPECT_NE(process_of(other), process_of(sample_config()));
}

TEST(Axes, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names, parts;
  std::size_t all = 0;
  for (const Axis& each : axes()) {
    names.insert(each.name);
    for (const AxisPart& part : each.parts) parts.insert(part.name);
    all += each.parts.size();
  }
  EXPECT_EQ(names.size(), kAxes);
  EXPECT_EQ(parts.size(), all);
}

// What a sample of each axis is told apart by, at its default too.
TEST(Axes, HaveAValueForEachOfTheirParts) {
  std::vector<std::string> differ;
  const RunConfig one = sample_config(), other;
  for (const Axis& each : axes()) {
    for (const AxisPart& part : each.parts) {
      if (part.value(one) != part.value(other)) differ.emplace_back(part.name);
    }
  }
  EXPECT_THAT(differ, ElementsAre("engine", "model", "seq_len", "precision", "device", "threads",
                                  "instances", "mode", "checkpointing", "accumulation", "loader",
                                  "loader_workers", "prefetch", "prefetch_to_device",
                                  "start_method", "pinned", "texts", "tokenizer_threads", "padding",
                                  "order", "token_budget", "pooling", "environment"));
}

TEST(Axes, SaySimplyWhatIsNotStated) {
  RunConfig config;
  for (const AxisId id : {AxisId::precision, AxisId::device, AxisId::threads}) {
    axis(id).forget(config);
    EXPECT_EQ(axis(id).words(config), "");
    EXPECT_EQ(axis(id).parts.front().words(config), std::string(axis(id).name) + " not stated");
    EXPECT_TRUE(axis(id).arguments(config).empty());
  }
}

TEST(Axes, AreAskedForByTheirFlags) {
  RunConfig config = sample_config();
  config.pipeline.reset();
  config.environment = {{"MALLOC_ARENA_MAX", "1"}, {"OMP_PLACES", "{0},{1}"}};
  EXPECT_THAT(typed(config),
              ElementsAre("--engine torch", "--seq-lens 64", "--precision bf16", "--device cuda:0",
                          "--threads 2", "--instances 3", "--mode train", "--optimizer adamw",
                          "--checkpointing on", "--accumulation 2", "--loader data/train",
                          "--loader-workers 3", "--prefetch 4", "--prefetch-to-device on",
                          "--start-method spawn", "--pin-memory on", "--env MALLOC_ARENA_MAX=1",
                          "--env OMP_PLACES={0}\\,{1}"));
}

TEST(Axes, AskForAPipelineByWhatItSays) {
  RunConfig config;
  config.pipeline = {
      .tokenizer = "t.json", .max_length = 128, .token_budget = 512, .normalize = false};
  EXPECT_THAT(typed(config),
              IsSupersetOf({"--pipeline embed", "--tokenizer t.json", "--max-length 128",
                            "--token-budget 512", "--pooling mean", "--no-normalize "}));
}

TEST(Axes, AskForASortWindowWhereOneIsStated) {
  RunConfig config;
  config.pipeline = {.tokenizer = "t.json", .order = TextOrder::sorted};
  EXPECT_THAT(typed(config), Not(Contains(HasSubstr("--sort-window"))));
  config.pipeline->sort_window = 64;
  EXPECT_THAT(typed(config), Contains("--sort-window 64"));
  config.pipeline->sort_all = true;
  EXPECT_THAT(typed(config), Contains("--sort-window all"));
}

TEST(ComputedBy, ForgetsWhatNoOutputFollowsFrom) {
  RunConfig other = sample_config();
  other.shape.batch_size = 8;
  other.threads = 1;
  other.instances = 1;
  other.environment = {{"MALLOC_ARENA_MAX", "1"}};
  other.pipeline.reset();
  EXPECT_EQ(computed_by(other), computed_by(sample_config()));
  other.checkpointing = false;
  EXPECT_NE(computed_by(other), computed_by(sample_config()));
}

}  // namespace
}  // namespace batchscope::schema
