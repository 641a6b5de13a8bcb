#include "driver/library.hpp"

#include <gmock/gmock.h>

#include "testing/machines/fake_gpus.hpp"

namespace batchscope::nvml {
namespace {

using ::testing::HasSubstr;

class EightGpus : public testing::Test {
 private:
  gpu::FakeGpus machine_{"eight_h100"};
};

TEST_F(EightGpus, AreFound) {
  const auto library = Library::load(FAKE_NVML);
  ASSERT_TRUE(library) << to_string(library.error());
  unsigned count = 0;
  EXPECT_EQ((*library)->device_count(&count), kSuccess);
  EXPECT_EQ(count, 8U);
}

// One call of each shape: the declarations here and those of the driver are told apart by nothing
// else.
TEST_F(EightGpus, AnswerCallsOfEveryShape) {
  const auto library = Library::load(FAKE_NVML);
  ASSERT_TRUE(library) << to_string(library.error());
  const Library& nvml = **library;
  Device device = nullptr;
  ASSERT_EQ(nvml.device_handle(0, &device), kSuccess);
  MemoryV2 memory{};
  memory.version = version_of<MemoryV2>(2);
  EXPECT_EQ(memory.version, 0x2000028U) << "as NVIDIA's header has it";
  EXPECT_EQ(call(nvml.memory_v2, device, &memory), kSuccess);
  EXPECT_EQ(memory.total, 85520809984ULL);
  EXPECT_GT(memory.reserved, 0U);
  Violation violation{};
  EXPECT_EQ(call(nvml.violation, device, kPolicyPower, &violation), kSuccess);
  EXPECT_EQ(violation.violation_time, 32477264800ULL);
  FieldValue field{};
  field.field = kFieldMemoryTemperature;
  EXPECT_EQ(call(nvml.fields, device, 1, &field), kSuccess);
  EXPECT_EQ(field.status, kSuccess);
  EXPECT_EQ(field.value.narrow, 62U);
}

TEST_F(EightGpus, AFunctionThatIsNotThereAnswersSo) {
  const auto library = Library::load(FAKE_NVML);
  ASSERT_TRUE(library) << to_string(library.error());
  DeviceNumberCall absent = nullptr;
  unsigned value = 7;
  EXPECT_EQ(call(absent, nullptr, &value), kFunctionNotFound);
  EXPECT_EQ(value, 7U);
}

TEST(Library, WithoutTheDriverItSaysHowToGetIt) {
  const gpu::FakeGpus machine("no_driver");
  const auto library = Library::load(FAKE_NVML);
  ASSERT_FALSE(library);
  EXPECT_THAT(library.error().what, HasSubstr("Driver Not Loaded"));
  EXPECT_THAT(library.error().fix, HasSubstr("modprobe"));
  const auto none = Library::load("/nonexistent/libnvidia-ml.so.1");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().what, HasSubstr("/nonexistent/libnvidia-ml.so.1"));
}

}  // namespace
}  // namespace batchscope::nvml
