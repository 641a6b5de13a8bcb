// What the harness costs the host beside the same work in a bare loop: calls of the driver. In
// virtual time, where nothing else takes any, they are counted.
#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "on_simulated.hpp"
#include "state/clock.hpp"
#include "work/streams.hpp"

namespace batchscope::simulated {
namespace {

constexpr int kIterations = 20;
// Four events are recorded and three differences read, one a phase.
constexpr int64_t kMoreCalls = 7;
constexpr int64_t kCallNs = 250;  // of a call, so that they can be counted

class Harness : public OnSimulated {
 protected:
  Harness() {
    options().operation_ns = 0;
    options().copy_bytes_per_us = 1'000'000'000;
    options().copy_ns = 0;
    options().launch_ns = 5'000;
    options().call_ns = kCallNs;
  }

  template <typename Iteration>
  static int64_t host_ns_of(const Iteration& iteration) {
    iteration();  // memory is allocated, events are made
    const int64_t before = now_ns();
    for (int i = 0; i < kIterations; ++i) iteration();
    return (now_ns() - before) / kIterations;
  }
};

TEST_F(Harness, AddsSevenCallsToAnIteration) {
  const auto model = load("mlp");
  const auto batch = *model->prepare({4, {}});
  const int64_t harness = host_ns_of([&] { ASSERT_TRUE(model->run(*batch, sink_)); });

  const at::Tensor input = at::rand({4, 1024});
  const auto weight = [&](int64_t out, int64_t in) {
    return at::rand({out, in}, at::TensorOptions(device_));
  };
  const at::Tensor w1 = weight(4096, 1024), w2 = weight(4096, 4096), w3 = weight(1024, 4096);
  const at::Tensor b1 = weight(1, 4096)[0], b2 = weight(1, 4096)[0], b3 = weight(1, 1024)[0];
  const int64_t bare = host_ns_of([&] {
    const c10::InferenceMode no_autograd;
    at::Tensor x = input.to(device_, at::kFloat, /*non_blocking=*/true);
    x = at::relu(at::linear(x, w1, b1));
    x = at::relu(at::linear(x, w2, b2));
    x = at::linear(x, w3, b3).to(at::kCPU, at::kFloat, /*non_blocking=*/true);
    current_stream(0).synchronize();
  });
  EXPECT_EQ(harness - bare, kMoreCalls * kCallNs);
}

// Seven events and six differences; the wait is the loop's own.
TEST_F(Harness, AddsThirteenCallsToAStepOfTraining) {
  options().launch_ns = 0;
  execution_.mode = schema::Mode::train;
  execution_.optimizer = "sgd";
  const auto model = load("mlp");
  const auto batch = *model->prepare({4, {}});
  const int64_t step = host_ns_of([&] { ASSERT_TRUE(model->run(*batch, sink_)); });
  EXPECT_EQ(step, (13 + 1) * kCallNs);
}

}  // namespace
}  // namespace batchscope::simulated
