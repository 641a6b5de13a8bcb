#include "formats/lanes.hpp"

#include <gtest/gtest.h>

namespace batchscope::trace {
namespace {

TEST(LaneOf, StreamsOfXlaAreADevices) {
  const auto lane = lane_of("/device:GPU:3", "Stream #14(MemcpyH2D)");
  ASSERT_TRUE(lane);
  EXPECT_EQ(lane->content, LaneContent::stream);
  EXPECT_EQ(lane->device, 3);
  EXPECT_EQ(lane->stream, 14);
}

TEST(LaneOf, WhatXlaShowsAroundItsKernelsIsNoWork) {
  EXPECT_EQ(lane_of("/device:GPU:0", "XLA Modules")->content, LaneContent::ranges);
  EXPECT_EQ(lane_of("/device:GPU:0", "Framework Ops")->content, LaneContent::ranges);
  EXPECT_EQ(lane_of("/device:TPU:1", "XLA Ops")->content, LaneContent::operations);
  EXPECT_EQ(lane_of("/device:TPU:1", "Steps")->content, LaneContent::steps);
  EXPECT_EQ(lane_of("/host:CPU", "python")->content, LaneContent::host);
}

TEST(LaneOf, AHostBeforeTheDeviceChangesNothing) {
  EXPECT_EQ(lane_of("host3 /device:GPU:2 (pid 9)", "Stream #1")->device, 2);
}

TEST(LaneOf, AscendsHardwareIsOneDevice) {
  EXPECT_EQ(lane_of("Ascend Hardware", "Stream 2")->content, LaneContent::stream);
  EXPECT_EQ(lane_of("CANN", "")->content, LaneContent::calls);
  EXPECT_EQ(lane_of("HCCL", "Group 0")->content, LaneContent::again);
  EXPECT_EQ(lane_of("Communication", "Group 0 Communication")->content, LaneContent::again);
  EXPECT_EQ(lane_of("Overlap Analysis", "")->content, LaneContent::ranges);
}

TEST(LaneOf, OtherNamesSayNothing) {
  EXPECT_FALSE(lane_of("python", "thread 7 (python)"));
  EXPECT_FALSE(lane_of("GPU 0", ""));
  EXPECT_FALSE(lane_of("", ""));
  EXPECT_EQ(lane_of("GPU1", "")->device, 1);
}

TEST(StreamEventOf, NamesTellCopiesFromKernels) {
  EXPECT_EQ(stream_event("MemcpyH2D"), StreamEvent::copy);
  EXPECT_EQ(stream_event("zeCommandListAppendMemoryCopy(M2D)"), StreamEvent::copy);
  EXPECT_EQ(stream_event("Memset"), StreamEvent::fill);
  EXPECT_EQ(stream_event("EVENT_WAIT"), StreamEvent::wait);
  EXPECT_EQ(stream_event("gemm<MemcpyPolicy>"), StreamEvent::kernel);
}

}  // namespace
}  // namespace batchscope::trace
