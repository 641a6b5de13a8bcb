#include <gtest/gtest.h>

#include "batchscope/gpu/gpus.hpp"

namespace batchscope::gpu {
namespace {

// The machine of fixtures/three_gpus.json, of which GPU 0 alone tells its UUID.
class GpuIndex : public testing::Test {
 protected:
  std::optional<int> index(const char* device, const char* visible) const {
    return gpu_index(*gpus_, device, visible);
  }
  std::unique_ptr<Gpus> gpus_ = open_gpus(FAKE_NVML);
};

TEST_F(GpuIndex, IsTheNumberWhereNoneIsHidden) {
  EXPECT_EQ(index("cuda:2", nullptr), 2);
  EXPECT_EQ(index("cuda", nullptr), 0);
  EXPECT_EQ(index("cpu", nullptr), std::nullopt);
  EXPECT_EQ(index("xpu:1", nullptr), std::nullopt);
}

TEST_F(GpuIndex, FollowsTheListOfThoseThatAreVisible) {
  EXPECT_EQ(index("cuda:0", "2, 0"), 2);
  EXPECT_EQ(index("cuda:1", "2, 0"), 0);
  EXPECT_EQ(index("cuda:2", "2, 0"), std::nullopt) << "there is no third";
  EXPECT_EQ(index("cuda:0", ""), std::nullopt);
  EXPECT_EQ(index("cuda:0", "-1"), std::nullopt);
}

TEST_F(GpuIndex, FindsAGpuByItsUuid) {
  EXPECT_EQ(index("cuda:1", "1,GPU-0a"), 0);
  EXPECT_EQ(index("cuda:0", "GPU-ffff"), std::nullopt);
  EXPECT_EQ(index("cuda:0", "MIG-0a1b"), std::nullopt) << "a slice is no GPU";
}

}  // namespace
}  // namespace batchscope::gpu
