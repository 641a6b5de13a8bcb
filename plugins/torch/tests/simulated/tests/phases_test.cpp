// The phases of an iteration, to the nanosecond.
#include <gmock/gmock.h>

#include <numeric>

#include "batchscope/engine/abilities.hpp"
#include "libtorch/device.hpp"
#include "libtorch/timeline.hpp"
#include "on_simulated.hpp"
#include "work/activity.hpp"

namespace batchscope::simulated {
namespace {

using testing::ElementsAre;

// The device is behind the host in all of them: phases follow each other without a gap.
class Phases : public OnSimulated {
 protected:
  static int64_t copy_ns(int64_t bytes) {
    return options().copy_ns + bytes * 1000 / options().copy_bytes_per_us;
  }

  // What the device did in one iteration.
  std::vector<Activity> traced(engine::Model& model, engine::Batch& batch) {
    EXPECT_TRUE(model.run(batch, sink_));
    sink_ = {};
    take_traced();
    set_tracing(true);
    EXPECT_TRUE(model.run(batch, sink_));
    set_tracing(false);
    return take_traced();
  }

  static int64_t sum_of(const std::vector<Activity>& activities, Kind kind) {
    return std::accumulate(activities.begin(), activities.end(), int64_t{0},
                           [kind](int64_t sum, const Activity& each) {
                             return sum + (each.kind == kind ? each.end_ns - each.start_ns : 0);
                           });
  }

  int64_t device_ns(std::string_view name) const {
    int64_t sum = 0;
    for (size_t i = 0; i < sink_.names.size(); ++i) {
      if (sink_.names[i] == name) sum += sink_.device[i].value_or(0);
    }
    return sum;
  }
};

TEST_F(Phases, APhaseIsTheSumOfItsOperations) {
  torch_plugin::Timeline timeline(device_);
  at::Tensor t = at::ones({8}, at::TensorOptions(device_));
  timeline.start();
  for (int i = 0; i < 20; ++i) t = at::relu(t);
  timeline.mark("twenty");
  timeline.wait();
  timeline.mark("sync", /*on_device=*/false);
  timeline.report(sink_);
  EXPECT_THAT(sink_.device, ElementsAre(20 * kOperationNs, std::nullopt));
}

TEST_F(Phases, AnOddNumberOfNanosecondsIsKept) {
  options().operation_ns = 12'345'677;
  torch_plugin::Timeline timeline(device_);
  at::Tensor t = at::ones({8}, at::TensorOptions(device_));
  for (int i = 0; i < 7; ++i) {
    timeline.start();
    t = at::relu(t);
    timeline.mark("one");
    timeline.wait();
    timeline.report(sink_);
  }
  EXPECT_THAT(sink_.device, testing::Each(12'345'677));
}

TEST_F(Phases, OfInference) {
  const auto model = load("mlp");
  const auto batch = *model->prepare({4, {}});
  const auto activities = traced(*model, *batch);
  EXPECT_THAT(sink_.names, ElementsAre("h2d", "forward", "d2h", "sync"));
  EXPECT_EQ(device_ns("h2d"), copy_ns(4 * 1024 * 4));
  EXPECT_EQ(device_ns("forward"), sum_of(activities, Kind::kernel));
  EXPECT_GE(device_ns("forward"), 3 * kOperationNs);
  EXPECT_EQ(device_ns("d2h"), sum_of(activities, Kind::d2h));
}

TEST_F(Phases, OfTraining) {
  execution_.mode = schema::Mode::train;
  execution_.optimizer = "sgd";
  execution_.accumulation = 2;
  const auto model = load("mlp");
  const auto batch = *model->prepare({4, {}});
  const auto activities = traced(*model, *batch);
  EXPECT_THAT(sink_.names, ElementsAre("h2d", "forward", "loss", "backward", "h2d", "forward",
                                       "loss", "backward", "optimizer", "d2h", "sync"));
  EXPECT_EQ(device_ns("h2d"), sum_of(activities, Kind::h2d));
  EXPECT_EQ(
      device_ns("forward") + device_ns("loss") + device_ns("backward") + device_ns("optimizer"),
      sum_of(activities, Kind::kernel));
  EXPECT_EQ(device_ns("d2h"), copy_ns(sizeof(float))) << "the loss alone";
}

TEST_F(Phases, OfASeriesThatIsWaitedForOnce) {
  execution_.wait_each = false;
  const auto model = load("mlp");
  const auto batch = *model->prepare({4, {}});
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(model->run(*batch, sink_));
  ASSERT_TRUE(model->wait(sink_));
  EXPECT_EQ(device_ns("h2d"), 3 * copy_ns(4 * 1024 * 4));
}

// A step of training on files, once copies have begun to run ahead.
class LoadedPhases : public Phases {
 protected:
  LoadedPhases() {
    execution_.mode = schema::Mode::train;
    execution_.optimizer = "sgd";
  }

  // What it costs on the device, and the losses so far.
  std::vector<double> train(bool ahead) {
    execution_.loader = schema::Loader{"synthetic:16", 2, 2, ahead};
    const auto model = load("mlp");
    const auto batch = *model->prepare({4, {}});
    for (int i = 0; i < 3; ++i) {
      sink_ = {};
      EXPECT_TRUE(model->run(*batch, sink_));
    }
    return model->as<engine::TellsLosses>()->first_losses();
  }

  int64_t computed_ns() const {
    return device_ns("forward") + device_ns("loss") + device_ns("backward") +
           device_ns("optimizer");
  }

  static constexpr int64_t kInputBytes = 4 * 1024 * 4, kTargetBytes = kInputBytes;
};

TEST_F(LoadedPhases, CopiesOfPinnedMemoryThatAreSentAheadHideUnderComputing) {
  const std::vector<double> losses = train(false);
  EXPECT_THAT(sink_.names, ElementsAre("load", "h2d", "forward", "loss", "backward", "optimizer",
                                       "d2h", "sync"));
  EXPECT_EQ(device_ns("h2d"), copy_ns(kInputBytes) + copy_ns(kTargetBytes));
  const int64_t computed = computed_ns();
  EXPECT_EQ(train(true), losses) << "the same batches, and none used before it was there";
  EXPECT_THAT(sink_.names, ElementsAre("h2d", "forward", "loss", "backward", "load", "optimizer",
                                       "d2h", "sync"));
  EXPECT_EQ(device_ns("h2d"), 0);
  EXPECT_EQ(computed_ns(), computed);
}

TEST_F(LoadedPhases, OfALongerCopyTheRestShows) {
  options().copy_bytes_per_us = 1;
  options().operation_ns = 100'000;
  train(true);
  const int64_t copies = copy_ns(kInputBytes) + copy_ns(kTargetBytes);
  EXPECT_EQ(device_ns("h2d"), copies - computed_ns() - device_ns("d2h"));
}

TEST_F(Phases, ALossIsReadWhenItHasArrived) {
  execution_.mode = schema::Mode::train;
  execution_.optimizer = "sgd";
  const auto losses_on = [&](const std::string& device) {
    execution_.device = device;
    const auto model = load("mlp");
    const auto batch = *model->prepare({4, {}});
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(model->run(*batch, sink_));
    return model->as<engine::TellsLosses>()->first_losses();
  };
  const auto here = losses_on("cpu"), there = losses_on("cuda:0");
  ASSERT_EQ(here.size(), 3);
  ASSERT_EQ(there.size(), 3) << "a loss that is read too early is no number";
  for (size_t i = 0; i < here.size(); ++i) EXPECT_NEAR(there[i], here[i], 1e-4 * here[i]);
}

}  // namespace
}  // namespace batchscope::simulated
