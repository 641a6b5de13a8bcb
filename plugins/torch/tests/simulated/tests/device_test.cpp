// What the simulated device has to do for its tests to mean something.
#include <ATen/ATen.h>
#include <c10/core/Event.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>

#include "on_simulated.hpp"
#include "state/clock.hpp"
#include "work/streams.hpp"

namespace batchscope::simulated {
namespace {

class Device : public OnSimulated {};
using DeviceDeathTest = Device;

TEST_F(Device, OperationsAreIssuedAndNotWaitedFor) {
  at::Tensor t = at::ones({8}, at::TensorOptions(device_));
  drain_device(0);
  const int64_t before = now_ns();
  for (int i = 0; i < 50; ++i) t = at::relu(t);
  EXPECT_EQ(now_ns(), before);
  drain_device(0);
  EXPECT_EQ(now_ns(), before + 50 * kOperationNs);
}

TEST_F(Device, IssuingTakesTheHostsTime) {
  options().launch_ns = 5'000;
  at::Tensor t = at::ones({8}, at::TensorOptions(device_));
  drain_device(0);
  const int64_t before = now_ns();
  for (int i = 0; i < 50; ++i) t = at::relu(t);
  EXPECT_EQ(now_ns(), before + 50 * 5'000);
}

TEST_F(Device, ADeviceThatIsFasterThanTheHostWaitsForIt) {
  options().operation_ns = 1'000;
  options().launch_ns = 5'000;
  at::Tensor t = at::ones({8}, at::TensorOptions(device_));
  drain_device(0);
  const int64_t before = now_ns();
  for (int i = 0; i < 50; ++i) t = at::relu(t);
  drain_device(0);
  EXPECT_EQ(now_ns(), before + 50 * 5'000 + 1'000);
}

TEST_F(Device, AnEventThatHasNotPassedTellsNoTime) {
  c10::Event start(kType, c10::EventFlag::BACKEND_DEFAULT);
  c10::Event end(kType, c10::EventFlag::BACKEND_DEFAULT);
  at::Tensor t = at::ones({8}, at::TensorOptions(device_));
  start.record(current_stream(0));
  t = at::relu(t);
  end.record(current_stream(0));
  EXPECT_THROW(start.elapsedTime(end), c10::Error);
  end.synchronize();
  EXPECT_EQ(start.elapsedTime(end), 1.0);
}

TEST_F(Device, AResultThatIsUnderWayIsNotThereYet) {
  const at::Tensor t = at::full({64}, 3.0F, at::TensorOptions(device_));
  const at::Tensor host = t.to(at::kCPU, at::kFloat, /*non_blocking=*/true);
  ASSERT_TRUE(host.is_pinned());
  EXPECT_TRUE(std::isnan(host[1].item<float>()));
  drain_device(0);
  EXPECT_EQ(host[1].item<float>(), 3.0F);
}

// In a process of its own: the device does not recover, as CUDA's does not.
TEST_F(DeviceDeathTest, WhatGoesWrongThereIsReportedLater) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto reported_by_the_copy = [&] {
    const at::Tensor rows = at::ones({4, 4}, at::TensorOptions(device_));
    const at::Tensor far = at::tensor({1, 2'000'000'000}, at::kLong).to(device_);
    const at::Tensor chosen = at::index_select(rows, 0, far);
    try {
      chosen.cpu();
    } catch (const c10::Error&) {
      return true;
    }
    return false;
  };
  EXPECT_EXIT(_exit(reported_by_the_copy() ? 3 : 4), testing::ExitedWithCode(3), "");
}

TEST_F(Device, DrawsTheSameFromTheSameSeed) {
  const auto drawn = [&] {
    at::manual_seed(7);
    const at::Tensor first = at::rand({16}, at::TensorOptions(device_)).cpu();
    EXPECT_FALSE(first.equal(at::rand({16}, at::TensorOptions(device_)).cpu()));
    return first;
  };
  EXPECT_TRUE(drawn().equal(drawn()));
}

TEST_F(Device, StreamsRunSideBySide) {
  at::Tensor a = at::ones({8}, at::TensorOptions(device_)), b = a.clone();
  drain_device(0);
  const int64_t before = now_ns();
  a = at::relu(a);
  const c10::Stream first = set_current_stream(new_stream(0));
  b = at::relu(b);
  set_current_stream(first);
  drain_device(0);
  EXPECT_EQ(now_ns(), before + kOperationNs);
}

TEST_F(DeviceDeathTest, TheHostCannotReadItsMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const at::Tensor t = at::ones({8}, at::TensorOptions(device_));
  EXPECT_DEATH(
      {
        const volatile float read = *t.data_ptr<float>();
        static_cast<void>(read);
      },
      "");
}

}  // namespace
}  // namespace batchscope::simulated
