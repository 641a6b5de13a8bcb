#include "profile_totals.hpp"

#include <gtest/gtest.h>

namespace batchscope::openvino_plugin {
namespace {

using Status = ov::ProfilingInfo::Status;

ov::ProfilingInfo layer(const char* name, const char* type, const char* exec, int mean_us,
                        Status status = Status::EXECUTED) {
  ov::ProfilingInfo info{};
  info.status = status;
  info.real_time = std::chrono::microseconds(mean_us);
  info.node_name = name;
  info.node_type = type;
  info.exec_type = exec;
  return info;
}

// Two runs of 50 us, then eight of 5 us: the mean of all ten is 14 us.
TEST(ProfileTotals, TakeTheFirstRunsOffTheMean) {
  const LayerMeans before{{layer("query", "FullyConnected", "brgemm_f32", 50)}, 2};
  const LayerMeans after{{layer("query", "FullyConnected", "brgemm_f32", 14)}, 10};
  const ProfileTotals totals = totals_between(before, after);
  ASSERT_EQ(totals.operations.size(), 1u);
  EXPECT_EQ(totals.operations[0].name, "FullyConnected query");
  EXPECT_EQ(totals.operations[0].kind, schema::OperationKind::op);
  EXPECT_EQ(totals.operations[0].calls, 8);
  EXPECT_EQ(totals.operations[0].self_ns, 40'000);
  EXPECT_EQ(totals.operations[0].total_ns, 40'000);
}

TEST(ProfileTotals, SumByImplementation) {
  const LayerMeans after{{layer("query", "FullyConnected", "brgemm_f32", 5),
                          layer("key", "FullyConnected", "brgemm_f32", 7),
                          layer("head", "FullyConnected", "gemm_f32", 1),
                          layer("gone", "Reshape", "unknown", 100, Status::OPTIMIZED_OUT)},
                         2};
  const ProfileTotals totals = totals_between({}, after);
  ASSERT_EQ(totals.operations.size(), 3u);
  EXPECT_EQ(totals.operations[0].name, "FullyConnected key");
  ASSERT_EQ(totals.primitives.size(), 2u);
  EXPECT_EQ(totals.primitives[0].kind, "inner_product");
  EXPECT_EQ(totals.primitives[0].implementation, "brgemm_f32");
  EXPECT_EQ(totals.primitives[0].calls, 4);
  EXPECT_EQ(totals.primitives[0].total_ns, 24'000);
}

TEST(ProfileTotals, SumTheShortestLayersTogether) {
  const LayerMeans after{
      {layer("a", "T", "x", 9), layer("b", "T", "x", 3), layer("c", "T", "x", 2)}, 1};
  const auto operations = totals_between({}, after, 1).operations;
  ASSERT_EQ(operations.size(), 2u);
  EXPECT_EQ(operations[0].name, "T a");
  EXPECT_EQ(operations[1].name, "other");
  EXPECT_EQ(operations[1].calls, 2);
  EXPECT_EQ(operations[1].self_ns, 5'000);
}

}  // namespace
}  // namespace batchscope::openvino_plugin
