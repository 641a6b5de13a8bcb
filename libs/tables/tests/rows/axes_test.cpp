#include "batchscope/tables/axes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_run.hpp"

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

}  // namespace
}  // namespace batchscope::tables
