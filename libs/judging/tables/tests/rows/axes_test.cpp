#include "batchscope/tables/axes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/runs/fake_run.hpp"

namespace batchscope::tables {
namespace {

using ::testing::SizeIs;

TEST(WhatDiffers, IsTheSizeAloneWhereTheRestIsShared) {
  const auto configs = batch_sizes({1, 8});
  EXPECT_EQ(what_differs(configs[1], configs), "batch 8");
  EXPECT_THAT(keys_of(configs), SizeIs(1));
}

TEST(WhatDiffers, NamesTheAxesThatTheRunHasSeveralValuesOf) {
  auto configs = batch_sizes({1, 8});
  for (schema::RunConfig config : batch_sizes({1, 8})) {
    config.instances = 2;
    configs.push_back(config);
  }
  EXPECT_EQ(what_differs(configs[3], configs), "batch 8, 2 instances");
  EXPECT_EQ(what_differs(configs[1], configs), "batch 8, 1 instance");
  EXPECT_THAT(keys_of(configs), SizeIs(2));
}

TEST(SingleDifference, AnEngineIsOneWithWhatIsSetForItsInterpreter) {
  auto configs = batch_sizes({1, 1, 1});
  for (schema::RunConfig& config : configs) config.engine = "python";
  configs[0].compile = false;
  configs[1].compile = true;
  configs[2].engine = "torch";
  const auto engines = single_difference(configs[2], configs[1]);
  ASSERT_TRUE(engines);
  EXPECT_EQ(engines->id, schema::AxisId::engine);
  EXPECT_EQ(engines->b_words, "engine python, compiled");
  EXPECT_EQ(single_difference(configs[0], configs[1])->id, schema::AxisId::compile);
  configs[2].engine = "python";
  EXPECT_FALSE(single_difference(configs[0], configs[0]));
  configs[2] = configs[1];
  configs[2].engine = "other";
  configs[2].compile = false;
  EXPECT_FALSE(single_difference(configs[1], configs[2])) << "both have it";
}

}  // namespace
}  // namespace batchscope::tables
