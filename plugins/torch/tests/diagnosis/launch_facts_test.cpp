#include "diagnosis/launch_facts.hpp"

#include <gtest/gtest.h>

namespace batchscope::torch_plugin {
namespace {

TEST(ReadLaunchFacts, ReadsAKernelAsKinetoDescribesIt) {
  const LaunchFacts facts = read_launch_facts(R"("queued": 0, "device": 0, "context": 1,
      "stream": 7, "correlation": 41, "registers per thread": 168, "shared memory": 98304,
      "blocks per SM": 1.9393939, "warps per SM": 7.757576, "grid": [64, 2, 2],
      "block": [128, 1, 1], "est. achieved occupancy %": 12)");
  EXPECT_EQ(facts.grid_blocks, 256);
  EXPECT_EQ(facts.threads_per_block, 128);
  EXPECT_EQ(facts.occupancy, 0.12);
  EXPECT_EQ(facts.multiprocessors, 132);
  EXPECT_FALSE(facts.blocks_per_sm.has_value()) << "blocks per SM is the grid's share, no limit";
  EXPECT_FALSE(facts.bytes.has_value());
}

TEST(ReadLaunchFacts, ReadsHowManyBlocksFitWhereKinetoTells) {
  EXPECT_EQ(read_launch_facts(R"("occupancy": {"activeBlocksPerMultiprocessor": 2})").blocks_per_sm,
            2);
  EXPECT_EQ(read_launch_facts(R"("activeBlocksPerMultiprocessor": 3)").blocks_per_sm, 3);
  EXPECT_FALSE(read_launch_facts(R"("activeBlocksPerMultiprocessor": 0)").blocks_per_sm);
}

TEST(ReadLaunchFacts, ReadsACopy) {
  const auto facts = read_launch_facts(
      R"x("device": 0, "stream": 7, "correlation": 3, "bytes": 4096, "memory bandwidth (GB/s)": 1.5)x");
  EXPECT_EQ(facts.bytes, 4096);
  EXPECT_FALSE(facts.grid_blocks.has_value());
}

TEST(ReadLaunchFacts, LeavesOutWhatMakesNoSense) {
  for (const char* text :
       {"", "nonsense", R"("grid": [1, 2)", R"("grid": "x", "block": [], "bytes": -4)",
        R"("grid": [-1, 2, 3], "block": [0, 1, 1], "bytes": 1e300)",
        R"("grid": [9000000000, 9000000000, 1], "bytes": 1.5)",
        R"("blocks per SM": inf, "grid": [1, 1, 1])"}) {
    const auto facts = read_launch_facts(text);
    EXPECT_FALSE(facts.grid_blocks.has_value()) << text;
    EXPECT_FALSE(facts.threads_per_block.has_value()) << text;
    EXPECT_FALSE(facts.bytes.has_value()) << text;
  }
  EXPECT_FALSE(read_launch_facts(R"("est. achieved occupancy %": -100)").occupancy.has_value());
  EXPECT_FALSE(read_launch_facts(R"("est. achieved occupancy %": 101)").occupancy.has_value());
  EXPECT_FALSE(read_launch_facts(R"("grid": [4, 1, 1], "blocks per SM": 0)").multiprocessors);
}

}  // namespace
}  // namespace batchscope::torch_plugin
