#include "progress/progress.hpp"

#include <gtest/gtest.h>

namespace batchscope::cli {
namespace {

schema::RunConfig config_of(int64_t batch_size, int instances) {
  schema::RunConfig config;
  config.model = "m";
  config.shape.batch_size = batch_size;
  config.instances = instances;
  return config;
}

TEST(PlaceIn, NamesWhatDiffersWithinTheRun) {
  schema::RunFile run;
  run.configs = {config_of(1, 1), config_of(8, 1)};
  schema::Event event;
  event.where.config = 1;
  EXPECT_EQ(place_in(&run, event), "batch 8");
  run.configs.push_back(config_of(8, 2));
  event.where.config = 2;
  EXPECT_EQ(place_in(&run, event), "batch 8, 2 instances");
}

TEST(PlaceIn, IsEmptyWhereNoConfigurationIsMeant) {
  schema::RunFile run;
  schema::Event event;
  EXPECT_EQ(place_in(&run, event), "");
  event.where.config = 3;
  EXPECT_EQ(place_in(&run, event), "");
  EXPECT_EQ(place_in(nullptr, event), "");
}

}  // namespace
}  // namespace batchscope::cli
