#include "batchscope/schema/device_name.hpp"

#include <gtest/gtest.h>

namespace batchscope::schema {
namespace {

TEST(DeviceName, OfTheCpuIsNoAccelerator) {
  for (const char* const name : {"cpu", "CPU", "cpu:0"}) {
    EXPECT_TRUE(is_cpu(name)) << name;
    EXPECT_FALSE(is_accelerator(name)) << name;
    EXPECT_FALSE(is_cuda(name)) << name;
  }
}

TEST(DeviceName, OfAnAcceleratorTellsWhetherItIsCudas) {
  for (const char* const name : {"cuda", "cuda:0", "cuda:12", "CUDA:1"}) {
    EXPECT_TRUE(is_accelerator(name)) << name;
    EXPECT_TRUE(is_cuda(name)) << name;
  }
  for (const char* const name : {"xpu:0", "gpu", "gpu:1", "mtia:0", "npu", "Some GPU", "cudax"}) {
    EXPECT_TRUE(is_accelerator(name)) << name;
    EXPECT_FALSE(is_cuda(name)) << name;
    EXPECT_FALSE(is_cpu(name)) << name;
  }
}

TEST(DeviceName, ThatIsNotStatedIsNeither) {
  EXPECT_FALSE(is_cpu(""));
  EXPECT_FALSE(is_accelerator(""));
  EXPECT_FALSE(is_cuda(""));
  EXPECT_EQ(device_index(""), std::nullopt);
}

TEST(DeviceName, HasAnIndexWhereItsFullEndIsANumber) {
  EXPECT_EQ(device_index("cuda:0"), 0);
  EXPECT_EQ(device_index("cuda:12"), 12);
  EXPECT_EQ(device_index("xpu:3"), 3);
  for (const char* const name :
       {"cuda", "cuda:", "cuda:-1", "cuda:1x", "gpu:0:1", "cuda: 1", "cuda:99999999999"}) {
    EXPECT_EQ(device_index(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace batchscope::schema
