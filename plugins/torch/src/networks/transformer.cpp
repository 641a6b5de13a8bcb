#include "transformer.hpp"

#include <ATen/ops/all.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/tanh.h>

#include "checkpoint.hpp"

namespace batchscope::torch_plugin {
namespace {

constexpr double kDeviation = 0.02;  // initializer_range of the published configurations
constexpr double kDropout = 0.1;

// transformers drops a mask that is all ones (torch.all(mask == 1)), which lets attention take its
// fastest path. On an accelerator that question is a synchronisation in the middle of an
// iteration; so whoever makes the batch says it by the type. A bool mask holds padding and is
// applied; one of integers is dropped on an accelerator unseen, for it is all ones.
std::optional<at::Tensor> attention_mask(const at::Tensor& mask) {
  const bool holds_padding = mask.scalar_type() == at::kBool;
  if (!holds_padding && (!mask.is_cpu() || at::all(mask == 1).item<bool>())) return std::nullopt;
  return mask.to(at::kBool).unsqueeze(1).unsqueeze(1);
}

at::Tensor dropped(const at::Tensor& t, bool training) {
  return training ? at::dropout(t, kDropout, true) : t;
}

}  // namespace

Transformer::Transformer(const TransformerShape& shape, ParameterSource& source)
    : heads_(shape.heads) {
  const Values values{0, kDeviation};
  words_ = source.parameter("embeddings.word", {shape.vocabulary, shape.width}, values);
  positions_ = source.parameter("embeddings.position", {shape.positions, shape.width}, values);
  if (shape.token_types) {
    token_types_ = source.parameter("embeddings.token_type", {2, shape.width}, values);
  }
  embedding_norm_ = make_layer_norm(source, "embeddings.norm", shape.width);
  for (int64_t i = 0; i < shape.layers; ++i) layers_.push_back(make_layer(shape, source, i));
  if (shape.pooler) {
    pooler_ = make_linear(source, "pooler", shape.width, shape.width, kDeviation);
  }
}

Transformer::Layer Transformer::make_layer(const TransformerShape& shape, ParameterSource& source,
                                           int64_t index) {
  const std::string name = "layer." + std::to_string(index) + ".";
  const int64_t width = shape.width;
  Layer layer;
  layer.query = make_linear(source, name + "query", width, width, kDeviation);
  layer.key = make_linear(source, name + "key", width, width, kDeviation);
  layer.value = make_linear(source, name + "value", width, width, kDeviation);
  layer.out = make_linear(source, name + "out", width, width, kDeviation);
  layer.attention_norm = make_layer_norm(source, name + "attention_norm", width);
  layer.up = make_linear(source, name + "up", width, shape.inner, kDeviation);
  layer.down = make_linear(source, name + "down", shape.inner, width, kDeviation);
  layer.output_norm = make_layer_norm(source, name + "output_norm", width);
  return layer;
}

at::Tensor Transformer::embed(const std::vector<at::Tensor>& inputs) const {
  const at::Tensor& ids = inputs.at(0);
  at::Tensor x = at::embedding(words_, ids);
  if (token_types_.defined()) x = x + at::embedding(token_types_, inputs.at(2));
  // Positions 0 .. S-1: the first rows are what looking them up gives.
  return embedding_norm_(x + positions_.slice(0, 0, ids.size(1)));
}

at::Tensor Transformer::attend(const Layer& layer, const at::Tensor& x,
                               const std::optional<at::Tensor>& mask, double dropout) const {
  const auto split = [&](const at::Tensor& t) {
    return t.view({t.size(0), t.size(1), heads_, -1}).transpose(1, 2);
  };
  const at::Tensor context = at::scaled_dot_product_attention(
      split(layer.query(x)), split(layer.key(x)), split(layer.value(x)), mask, dropout);
  return layer.out(context.transpose(1, 2).reshape(x.sizes()));
}

at::Tensor Transformer::apply(const Layer& layer, const at::Tensor& input,
                              const std::optional<at::Tensor>& mask, bool training) const {
  const double dropout = training ? kDropout : 0;
  const at::Tensor x =
      layer.attention_norm(input + dropped(attend(layer, input, mask, dropout), training));
  return layer.output_norm(x + dropped(layer.down(at::gelu(layer.up(x))), training));
}

bool Transformer::checkpoint_layers() {
  checkpointing_ = true;
  return true;
}

std::vector<at::Tensor> Transformer::forward(const std::vector<at::Tensor>& inputs, bool training) {
  const auto mask = attention_mask(inputs.at(1));
  at::Tensor x = dropped(embed(inputs), training);
  for (const Layer& layer : layers_) {
    const auto run = [this, &layer, mask, training](const at::Tensor& input) {
      return apply(layer, input, mask, training);
    };
    x = checkpointing_ && training ? checkpointed(run, x) : run(x);
  }
  if (!pooler_) return {x};
  return {x, at::tanh((*pooler_)(x.select(1, 0)))};
}

}  // namespace batchscope::torch_plugin
