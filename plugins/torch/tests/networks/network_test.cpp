#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "batches/batch.hpp"
#include "networks/builtin_program.hpp"
#include "networks/catalogue.hpp"
#include "networks/resnet.hpp"
#include "networks/transformer.hpp"
#include "reference_models.hpp"

namespace batchscope::torch_plugin {
namespace {

double largest_difference(const at::Tensor& got, const at::Tensor& expected) {
  return (got.to(at::kDouble) - expected).abs().max().item<double>();
}

at::Tensor token_ids(int64_t batch, int64_t length) {
  return at::arange(batch * length).mul(97).remainder(30522).view({batch, length});
}

class Built {
 public:
  explicit Built(const std::string& name, bool trainable = false)
      : factory(11, at::kFloat, at::kCPU, trainable), network(find_builtin(name)->build(factory)) {}

  ParameterFactory factory;
  std::unique_ptr<Network> network;
};

TEST(Distilbert, EqualsTheReference) {
  const Built model("distilbert");
  const at::Tensor ids = token_ids(2, 24);
  const at::Tensor mask = at::ones_like(ids);
  const auto outputs = model.network->forward({ids, mask}, false);
  const auto expected = Reference(model.factory).transformer(ids, mask, 6, 12);
  ASSERT_EQ(outputs.size(), 1);
  EXPECT_EQ(outputs[0].sizes(), at::IntArrayRef({2, 24, 768}));
  EXPECT_GT(expected[0].std().item<double>(), 0.5);  // there is something to differ in
  EXPECT_LT(largest_difference(outputs[0], expected[0]), 1e-5);
}

TEST(Distilbert, LeavesPaddingOut) {
  const Built model("distilbert");
  const at::Tensor ids = token_ids(2, 16);
  at::Tensor mask = at::ones_like(ids);
  mask[1].narrow(0, 10, 6).zero_();
  const auto outputs = model.network->forward({ids, mask}, false);
  const auto expected = Reference(model.factory).transformer(ids, mask, 6, 12);
  EXPECT_LT(largest_difference(outputs[0], expected[0]), 1e-5);
}

TEST(Minilm, GivesAPaddedSampleWhatItGivesItAlone) {
  const auto builtin = *find_builtin("minilm-l6");
  const auto loaded = make_builtin(builtin, 11, {}, at::kCPU);
  const auto batches =
      make_batches(loaded, {2, std::nullopt, "mix", {5, 12}}, at::kFloat, false, 3);
  ASSERT_TRUE(batches);
  std::vector<at::Tensor> inputs = batches->front().inputs;
  EXPECT_EQ(inputs[1].scalar_type(), at::kBool);  // what says on an accelerator that it is to count
  const at::Tensor padded = loaded.program->forward(inputs)[0][0].narrow(0, 0, 5);
  for (at::Tensor& input : inputs) input = input.narrow(0, 0, 1).narrow(1, 0, 5);
  const at::Tensor alone = loaded.program->forward(inputs)[0][0];
  EXPECT_LT((padded - alone).abs().max().item<double>(), 1e-5);
  inputs = batches->front().inputs;
  inputs[1] = at::ones_like(inputs[1]);
  const at::Tensor unmasked = loaded.program->forward(inputs)[0][0].narrow(0, 0, 5);
  EXPECT_GT((unmasked - alone).abs().max().item<double>(), 1e-3);
}

TEST(Minilm, EqualsTheReference) {
  const Built model("minilm-l6");
  const at::Tensor ids = token_ids(3, 20);
  const at::Tensor mask = at::ones_like(ids);
  const auto outputs = model.network->forward({ids, mask, at::zeros_like(ids)}, false);
  const auto expected = Reference(model.factory).transformer(ids, mask, 6, 12);
  ASSERT_EQ(outputs.size(), 2);
  EXPECT_LT(largest_difference(outputs[0], expected[0]), 1e-5);
  EXPECT_LT(largest_difference(outputs[1], expected[1]), 1e-5);
}

TEST(Bert, EqualsTheReference) {
  const Built model("bert-base");
  const at::Tensor ids = token_ids(1, 12);
  const at::Tensor mask = at::ones_like(ids);
  const auto outputs = model.network->forward({ids, mask, at::zeros_like(ids)}, false);
  const auto expected = Reference(model.factory).transformer(ids, mask, 12, 12);
  EXPECT_LT(largest_difference(outputs[0], expected[0]), 1e-5);
}

TEST(Resnet50, EqualsTheReference) {
  const Built model("resnet50");
  const at::Tensor images =
      at::arange(2 * 3 * 64 * 64).remainder(251).div(251).view({2, 3, 64, 64});
  const auto outputs = model.network->forward({images}, false);
  const at::Tensor expected = Reference(model.factory).resnet50(images);
  EXPECT_EQ(outputs[0].sizes(), at::IntArrayRef({2, 1000}));
  EXPECT_LT(largest_difference(outputs[0], expected) / expected.std().item<double>(), 1e-5);
}

TEST(Transformer, DropsOutWhileTraining) {
  const Built model("minilm-l6");
  const at::Tensor ids = token_ids(1, 8);
  const std::vector<at::Tensor> inputs{ids, at::ones_like(ids), at::zeros_like(ids)};
  const at::Tensor plain = model.network->forward(inputs, false)[0];
  EXPECT_TRUE(at::equal(plain, model.network->forward(inputs, false)[0]));
  EXPECT_FALSE(at::equal(plain, model.network->forward(inputs, true)[0]));
}

TEST(Transformer, DropsOutATenthOfTheEmbeddings) {
  ParameterFactory factory(1, at::kFloat, at::kCPU, false);
  Transformer embeddings_only({.layers = 0, .width = 64, .heads = 1, .inner = 1}, factory);
  const at::Tensor ids = token_ids(4, 256);
  const at::Tensor y = embeddings_only.forward({ids, at::ones_like(ids)}, true)[0];
  EXPECT_NEAR((y == 0).to(at::kFloat).mean().item<float>(), 0.1, 0.01);
}

TEST(Networks, ReachEveryParameterInTraining) {
  // A parameter without a gradient would be one that the forward pass never uses.
  for (const std::string name : {"minilm-l6", "resnet50", "mlp"}) {
    const Built model(name, true);
    std::vector<at::Tensor> inputs{at::rand({2, 3, 64, 64})};
    if (name == "mlp") inputs = {at::rand({2, 1024})};
    if (name == "minilm-l6") {
      const at::Tensor ids = token_ids(2, 8);
      inputs = {ids, at::ones_like(ids), at::zeros_like(ids)};
    }
    const auto outputs = model.network->forward(inputs, true);
    outputs.back().square().sum().backward();
    for (const auto& [parameter, tensor] : model.factory.named()) {
      EXPECT_TRUE(tensor.grad().defined()) << name << ' ' << parameter;
    }
  }
}

}  // namespace
}  // namespace batchscope::torch_plugin
