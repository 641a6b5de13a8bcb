// Loops whose cost is known, recorded by LibTorch's profiler, read from its file: what is said of a
// trace has to be what was done. In real time, since the profiler reads a clock of its own; the
// device's own times are stated, so that a busy machine changes nothing that is asserted.
#include "batchscope/attribution/attribution.hpp"

#include <ATen/ATen.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <functional>

#include "batchscope/trace/reader.hpp"
#include "batchscope/trace/recording_file.hpp"
#include "diagnosis/tracer.hpp"
#include "on_simulated.hpp"
#include "state/clock.hpp"
#include "work/streams.hpp"

namespace batchscope::simulated {
namespace {

using attribution::DeviceTime;
using attribution::Part;

constexpr int64_t kMicrosecond = 1'000;
constexpr int64_t kMillisecond = 1'000'000;
constexpr int kSteps = 4;

class TracedLoop : public OnSimulated {
 protected:
  TracedLoop() {
    options().virtual_time = false;
    options().operation_ns = kMillisecond;
    options().launch_ns = 10 * kMicrosecond;
    x_ = at::ones({8}, at::TensorOptions(device_));
    drain_device(0);
  }

  void operations(int count) {
    for (int i = 0; i < count; ++i) x_ = at::relu(x_);
  }

  // What is said of the device's time in so many steps of this.
  DeviceTime time_of(const std::function<void()>& step) {
    const auto recording = trace::RecordingFile::begin({});
    const auto tracer = torch_plugin::Tracer::start(device_);
    EXPECT_TRUE(recording && tracer);
    for (int i = 0; i < kSteps; ++i) {
      RECORD_USER_SCOPE("ProfilerStep#" + std::to_string(i));
      step();
    }
    drain_device(0);
    EXPECT_TRUE((*tracer)->stop(recording->file()));
    const auto read = trace::TraceReader().read(recording->file());
    EXPECT_TRUE(read) << (read ? "" : base::to_string(read.error()));
    const auto attributed = attribution::attribute(*read);
    EXPECT_EQ(attributed.devices.size(), 1);
    EXPECT_EQ(attributed.steps.size(), kSteps);
    EXPECT_EQ(attributed.devices.at(0).orphans, 0) << "every kernel has the call that started it";
    return attributed.devices.at(0);
  }

  static Part largest_idle_part(const DeviceTime& time) {
    Part largest = Part::data_loading;
    for (const Part part : {Part::synchronisation, Part::launch, Part::host, Part::unknown}) {
      if (time.parts[part] > time.parts[largest]) largest = part;
    }
    return largest;
  }

  at::Tensor x_;
};

TEST_F(TracedLoop, ThatWaitsForItsSamplesIsBoundByTheLoader) {
  const DeviceTime time = time_of([&] {
    {
      RECORD_USER_SCOPE("load_batch");
      spend(20 * kMillisecond);
    }
    operations(3);
    drain_device(0);
  });
  EXPECT_EQ(largest_idle_part(time), Part::data_loading);
  EXPECT_GT(time.parts.share(Part::data_loading), 0.5);
}

TEST_F(TracedLoop, OfShortKernelsIsBoundByLaunching) {
  options().operation_ns = 20 * kMicrosecond;
  options().launch_ns = 300 * kMicrosecond;
  const DeviceTime time = time_of([&] { operations(40); });
  EXPECT_EQ(largest_idle_part(time), Part::launch);
  EXPECT_GT(time.parts.share(Part::launch), 0.5);
}

TEST_F(TracedLoop, ThatWaitsAfterEveryOperationIsBoundByThat) {
  options().operation_ns = 3 * kMillisecond;
  options().launch_ns = 2 * kMillisecond;
  const DeviceTime time = time_of([&] {
    for (int i = 0; i < 5; ++i) {
      operations(1);
      drain_device(0);
    }
  });
  EXPECT_EQ(largest_idle_part(time), Part::synchronisation);
  EXPECT_GT(time.parts.share(Part::synchronisation), 0.25);
}

TEST_F(TracedLoop, ThatCopiesMostOfTheTimeShowsIt) {
  options().copy_bytes_per_us = 4;
  const at::Tensor samples = at::ones({10'000}).pin_memory();  // 10 ms
  at::Tensor there = at::empty({10'000}, at::TensorOptions(device_));
  const DeviceTime time = time_of([&] {
    there.copy_(samples, /*non_blocking=*/true);
    operations(2);
  });
  EXPECT_GT(time.parts.share(Part::memcpy), 0.5);
  EXPECT_GT(time.parts[Part::memcpy], time.parts[Part::compute]);
}

TEST_F(TracedLoop, OfWorkThatIsLaunchedAheadIsHealthy) {
  options().operation_ns = 5 * kMillisecond;
  const DeviceTime time = time_of([&] { operations(10); });
  EXPECT_GT(time.parts.busy_share(), 0.9);
  EXPECT_GE(time.parts[Part::compute], kSteps * 10 * 5 * kMillisecond - kMillisecond);
}

}  // namespace
}  // namespace batchscope::simulated
