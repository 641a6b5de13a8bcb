// What of a device's memory a visit finds, and which model, in a process that makes several.

#include <gtest/gtest.h>

#include <algorithm>

#include "batchscope/engine/abilities.hpp"
#include "batchscope/measure/in_process_executor.hpp"
#include "testing/engines/stub_engine.hpp"

namespace batchscope::measure {
namespace {

using base::Result;

constexpr int64_t kCapacity = 1000, kWeights = 100;

// Its allocator keeps what is freed until it is told to give it back.
struct Device {
  int64_t used = 0, reserved = 0, peak_reserved = 0, held_back = 0;  // bytes
  int loads = 0, models = 0, most_models = 0;

  bool take(int64_t bytes) {
    if (used + bytes > kCapacity - held_back) return false;
    used += bytes;
    reserved = std::max(reserved, used);
    peak_reserved = std::max(peak_reserved, reserved);
    return true;
  }
};

base::Error out_of_memory() {
  return {base::ErrorKind::out_of_memory, "the device is full", "", ""};
}

struct SizedBatch final : engine::Batch {
  explicit SizedBatch(int64_t batch_size) : size(batch_size) {}
  int64_t size;
};

// Takes a byte a sample while it runs. A step that fails has gone half of its way.
class DeviceModel final : public engine::ModelWith<engine::HoldsBack, engine::TellsLosses> {
 public:
  explicit DeviceModel(Device& device) : device_(device) {
    device_.most_models = std::max(device_.most_models, ++device_.models);
  }
  ~DeviceModel() override {
    --device_.models;
    device_.used -= kWeights;
    device_.held_back = 0;
  }

  Result<std::unique_ptr<engine::Batch>> prepare(const schema::Shape& shape) override {
    return std::unique_ptr<engine::Batch>(std::make_unique<SizedBatch>(shape.batch_size));
  }
  Result<void> run(engine::Batch& batch, engine::PhaseSink& sink) override {
    const int64_t bytes = static_cast<SizedBatch&>(batch).size;
    loss_ /= 2;
    if (!device_.take(bytes)) return out_of_memory();
    device_.used -= bytes;
    if (losses_.size() < 2) losses_.push_back(loss_);
    sink.phase(phase_, 1, std::nullopt);
    return {};
  }
  Result<void> wait(engine::PhaseSink&) override { return {}; }
  void reset_memory_peaks() override { device_.peak_reserved = device_.reserved; }
  schema::Memory memory() const override {
    schema::Memory memory;
    memory.peak_reserved_bytes = device_.peak_reserved;
    return memory;
  }
  Result<void> hold_back(int64_t bytes) override {
    device_.held_back = 0;
    if (device_.used + bytes > kCapacity) return out_of_memory();
    device_.held_back = bytes;
    return {};
  }
  std::optional<double> last_loss() const override { return loss_; }
  std::vector<double> first_losses() const override { return losses_; }

 private:
  Device& device_;
  std::string phase_ = "forward";  // gone with the model
  double loss_ = 1;
  std::vector<double> losses_;
};

class StillClock final : public engine::Clock {
 public:
  int64_t now_ns() const override { return 0; }
  schema::ClockKind kind() const override { return schema::ClockKind::virtual_time; }
};

class DeviceEngine final : public engine::StubEngine {
 public:
  explicit DeviceEngine(Device& device) : device_(device) {}
  const engine::Clock& clock() const override { return clock_; }
  Result<std::unique_ptr<engine::Model>> load(const engine::ModelSpec&,
                                              const engine::ExecutionSpec&) override {
    if (!device_.take(kWeights)) return out_of_memory();
    ++device_.loads;
    return std::unique_ptr<engine::Model>(std::make_unique<DeviceModel>(device_));
  }
  void give_back_unused_memory(const std::string&) override { device_.reserved = device_.used; }

 private:
  Device& device_;
  StillClock clock_;
};

class DeviceMemory : public testing::Test {
 protected:
  VisitRequest request(int64_t batch_size, schema::Precision precision = schema::Precision::fp32) {
    VisitRequest made;
    made.run.engine = "device";
    made.run.device = name_;
    made.run.precision = precision;
    made.run.shape.batch_size = batch_size;
    made.warmup.fixed = 1;
    made.timed.fixed = 2;
    return made;
  }
  std::optional<schema::Visit> visit(const VisitRequest& asked) {
    const auto outcome = executor_->visit(asked, {});
    EXPECT_TRUE(outcome);
    if (!outcome || !std::holds_alternative<schema::Visit>(*outcome)) return std::nullopt;
    return std::get<schema::Visit>(*outcome);
  }
  schema::Event failure(const VisitRequest& asked) {
    const auto outcome = executor_->visit(asked, {});
    EXPECT_TRUE(outcome);
    if (!outcome || !std::holds_alternative<VisitFailure>(*outcome)) return {};
    return std::get<VisitFailure>(*outcome).event;
  }

  Device device_;  // outlives the models
  std::string name_ = "cuda:0";
  std::unique_ptr<VisitExecutor> executor_ = make_in_process_executor(
      [this](std::string_view) -> Result<std::unique_ptr<engine::Engine>> {
        return std::unique_ptr<engine::Engine>(std::make_unique<DeviceEngine>(device_));
      },
      ModelReuse::keep);
};

TEST_F(DeviceMemory, ThePeakIsNotThatOfALargerVisitBefore) {
  const auto larger = visit(request(400));
  const auto smaller = visit(request(50));
  ASSERT_TRUE(larger && smaller);
  EXPECT_EQ(larger->memory.peak_reserved_bytes, kWeights + 400);
  EXPECT_EQ(smaller->memory.peak_reserved_bytes, kWeights + 50);
  EXPECT_EQ(device_.loads, 1) << "it is the same model";
}

TEST_F(DeviceMemory, AModelIsAloneOnItsDevice) {
  for (const auto precision :
       {schema::Precision::fp32, schema::Precision::bf16, schema::Precision::fp32}) {
    const auto made = visit(request(850, precision));
    ASSERT_TRUE(made) << "beside another model it would not fit";
    EXPECT_EQ(made->losses.size(), 2u) << "of its first steps, since it was loaded again";
  }
  EXPECT_EQ(device_.most_models, 1);
  EXPECT_EQ(device_.loads, 3);
}

TEST_F(DeviceMemory, TheHostKeepsItsModels) {
  name_ = "cpu";
  ASSERT_TRUE(visit(request(50, schema::Precision::fp32)));
  ASSERT_TRUE(visit(request(50, schema::Precision::bf16)));
  const auto again = visit(request(50, schema::Precision::fp32));
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->losses.empty());
  EXPECT_EQ(device_.most_models, 2);
  EXPECT_EQ(device_.loads, 2);
}

TEST_F(DeviceMemory, AFailedVisitLeavesNothingToTheNext) {
  for (const char* const name : {"cuda:0", "cpu"}) {
    name_ = name;
    const auto first = visit(request(50));
    ASSERT_TRUE(first);
    EXPECT_EQ(failure(request(2000)).kind, schema::EventKind::out_of_memory);
    EXPECT_EQ(device_.models, 0) << name;
    EXPECT_EQ(device_.reserved, 0) << name;
    const auto again = visit(request(50));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->loss, first->loss) << name;
    EXPECT_EQ(again->losses, first->losses) << name;
    EXPECT_EQ(failure(request(2000)).kind,
              schema::EventKind::out_of_memory);  // the other device begins empty
  }
}

TEST_F(DeviceMemory, AFullDeviceHasNoLimitToRaise) {
  const schema::Event event = failure(request(2000));
  EXPECT_FALSE(event.fix.empty());
  EXPECT_EQ(event.fix.find("--memory-limit"), std::string::npos) << event.fix;
}

TEST_F(DeviceMemory, WhatIsHeldBackIsHeldBackFromOneVisit) {
  VisitRequest less = request(650);
  less.held_back_bytes = 300;
  EXPECT_EQ(failure(less).kind, schema::EventKind::out_of_memory);
  less.run.shape.batch_size = 600;
  EXPECT_TRUE(visit(less));
  EXPECT_TRUE(visit(request(650)));
  less.held_back_bytes = kCapacity;
  EXPECT_EQ(failure(less).kind, schema::EventKind::out_of_memory) << "there is not as much";
}

}  // namespace
}  // namespace batchscope::measure
