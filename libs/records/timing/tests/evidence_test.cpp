#include "batchscope/timing/evidence.hpp"

#include <gtest/gtest.h>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::timing {
namespace {

TEST(BlocksThatWouldTell, AreTwiceThoseThatEndAtNoGain) {
  EXPECT_EQ(blocks_that_would_tell(12, 0.02, 0.01), 2 * 12 * 4);
  EXPECT_EQ(blocks_that_would_tell(12, 0.01, 0.1), 13) << "more than there are";
  EXPECT_EQ(blocks_that_would_tell(12, 1, 0.01), std::nullopt);
}

TEST(BlocksThatWouldTell, AreNotCountedByTheIntervalOfTwo) {
  // t is 12.71 with one degree of freedom, 2.201 with eleven.
  EXPECT_EQ(blocks_that_would_tell(2, 0.127, 0.02201), 4);
}

TEST(Evidence, ThePilotIsLongEnoughForAClaimOfDominance) {
  EXPECT_GE(schema::MeasurementPlan{}.blocks, kPairsToProveAChoice);
}

}  // namespace
}  // namespace batchscope::timing
