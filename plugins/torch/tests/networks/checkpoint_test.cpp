#include "networks/checkpoint.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "libtorch/precision.hpp"
#include "networks/catalogue.hpp"
#include "networks/transformer.hpp"

namespace batchscope::torch_plugin {
namespace {

struct Trained {
  double loss = 0;
  std::vector<at::Tensor> gradients;
};

// One step with dropout; the padded sample makes attention take its mask.
Trained train(bool checkpointing, std::optional<at::ScalarType> autocast = std::nullopt) {
  ParameterFactory factory(11, at::kFloat, at::kCPU, true);
  Transformer network({.layers = 3, .width = 32, .heads = 4, .inner = 64, .vocabulary = 100},
                      factory);
  if (checkpointing) network.checkpoint_layers();
  const at::Tensor ids = at::arange(2 * 16).mul(7).remainder(100).view({2, 16});
  at::Tensor mask = at::ones_like(ids);
  mask[1].narrow(0, 10, 6).zero_();
  at::manual_seed(5);
  at::Tensor loss;
  {
    const Autocast scope(at::kCPU, autocast);
    const at::Tensor y = network.forward({ids, mask}, true)[0];
    loss = at::mse_loss(y.to(at::kFloat), at::linspace(0, 1, y.numel()).view(y.sizes()));
  }
  loss.backward();
  Trained trained{loss.item<double>(), {}};
  for (const auto& [name, tensor] : factory.named()) trained.gradients.push_back(tensor.grad());
  return trained;
}

void expect_same(const Trained& a, const Trained& b, double tolerance) {
  constexpr double kNothing = 1e-8;  // gradients of key biases are 0 but for rounding
  EXPECT_EQ(a.loss, b.loss);         // the forward pass is the same
  ASSERT_EQ(a.gradients.size(), b.gradients.size());
  for (size_t i = 0; i < a.gradients.size(); ++i) {
    ASSERT_TRUE(a.gradients[i].defined() && b.gradients[i].defined()) << i;
    const double largest = a.gradients[i].abs().max().item<double>();
    const double apart = (a.gradients[i] - b.gradients[i]).abs().max().item<double>();
    EXPECT_LE(apart, tolerance * largest + kNothing) << i;
  }
}

TEST(Checkpoint, ChangesNeitherLossNorGradientsWithDropout) {
  expect_same(train(false), train(true), 1e-6);
}

TEST(Checkpoint, ComputesAgainInThePrecisionOfTheForwardPass) {
  expect_same(train(false, at::kBFloat16), train(true, at::kBFloat16), 0.02);
}

TEST(Checkpoint, RunsTheSegmentAgainAndLeavesTheGeneratorWhereItWas) {
  const at::Tensor x = at::ones({4}).requires_grad_(true);
  std::vector<at::Tensor> drawn;
  std::vector<bool> recorded;
  at::manual_seed(3);
  const at::Tensor y = checkpointed(
      [&](const at::Tensor& input) {
        drawn.push_back(at::rand({4}));
        recorded.push_back(c10::GradMode::is_enabled());
        return input * drawn.back();
      },
      x);
  const at::Tensor between = at::rand({4});
  y.sum().backward();
  const at::Tensor after = at::rand({4});
  ASSERT_EQ(drawn.size(), 2);
  EXPECT_EQ(recorded, (std::vector<bool>{false, true}));  // nothing is kept the first time
  EXPECT_TRUE(at::equal(drawn[0], drawn[1]));
  EXPECT_TRUE(at::equal(x.grad(), drawn[0]));
  at::manual_seed(3);
  EXPECT_TRUE(at::equal(at::rand({4}), drawn[0]));
  EXPECT_TRUE(at::equal(at::rand({4}), between));
  EXPECT_TRUE(at::equal(at::rand({4}), after));
}

TEST(Checkpoint, IsForNetworksOfLayersAlike) {
  ParameterCounter counter;
  EXPECT_FALSE(find_builtin("mlp")->build(counter)->checkpoint_layers());
  for (const Builtin& builtin : builtins()) {
    EXPECT_EQ(builtin.checkpointing, builtin.build(counter)->checkpoint_layers()) << builtin.name;
  }
}

}  // namespace
}  // namespace batchscope::torch_plugin
