#include "diagnosis/tracer.hpp"

#include <gtest/gtest.h>
#include <kineto/ActivityType.h>

namespace batchscope::torch_plugin {
namespace {

using libkineto::ActivityType;
using Kind = TraceEvent::Kind;

std::optional<Kind> kind_of(ActivityType type) {
  return kind_of_activity(static_cast<uint8_t>(type));
}

TEST(Tracer, KnowsTheAcceleratorsThatKinetoHasATypeFor) {
  for (const auto type :
       {c10::kCUDA, c10::kHIP, c10::kXPU, c10::kHPU, c10::kMTIA, c10::kPrivateUse1}) {
    EXPECT_TRUE(tracer_sees(c10::Device(type, 0))) << c10::DeviceTypeName(type);
  }
  for (const auto type : {c10::kCPU, c10::kMPS, c10::kVulkan, c10::kMeta}) {
    EXPECT_FALSE(tracer_sees(c10::Device(type, 0))) << c10::DeviceTypeName(type);
  }
}

TEST(Tracer, TellsTheWorkOfTheHostFromThatOfTheDevice) {
  EXPECT_EQ(kind_of(ActivityType::CPU_OP), Kind::host_operator);
  EXPECT_EQ(kind_of(ActivityType::USER_ANNOTATION), Kind::host_operator);
  for (const auto type :
       {ActivityType::CUDA_RUNTIME, ActivityType::CUDA_DRIVER, ActivityType::XPU_RUNTIME,
        ActivityType::XPU_DRIVER, ActivityType::MTIA_RUNTIME, ActivityType::HPU_OP,
        ActivityType::PRIVATEUSE1_RUNTIME, ActivityType::PRIVATEUSE1_DRIVER}) {
    EXPECT_EQ(kind_of(type), Kind::runtime) << libkineto::toString(type);
  }
  EXPECT_EQ(kind_of(ActivityType::CONCURRENT_KERNEL), Kind::kernel);
  EXPECT_EQ(kind_of(ActivityType::MTIA_CCP_EVENTS), Kind::kernel);
  EXPECT_EQ(kind_of(ActivityType::GPU_MEMCPY), Kind::memcpy);
  EXPECT_EQ(kind_of(ActivityType::GPU_MEMSET), Kind::memset);
}

TEST(Tracer, PassesOverWhatIsNoWork) {
  for (const auto type : {ActivityType::OVERHEAD, ActivityType::CUDA_SYNC, ActivityType::CUDA_EVENT,
                          ActivityType::GPU_USER_ANNOTATION, ActivityType::CPU_INSTANT_EVENT}) {
    EXPECT_EQ(kind_of(type), std::nullopt) << libkineto::toString(type);
  }
}

}  // namespace
}  // namespace batchscope::torch_plugin
