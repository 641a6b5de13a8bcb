#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "layers.hpp"
#include "network.hpp"

namespace batchscope::torch_plugin {

// The sizes of a BERT-like encoder (post-norm, GELU, learned positions).
struct TransformerShape {
  int64_t layers = 0;
  int64_t width = 0;
  int64_t heads = 0;
  int64_t inner = 0;         // of the feed-forward part
  bool token_types = false;  // BERT: a third input, and an embedding of 2 rows
  bool pooler = false;       // BERT: tanh of a linear layer on the first token, a second output
  int64_t vocabulary = 30522;
  int64_t positions = 512;
};

// What transformers computes with its sdpa attention: the same operations on the same shapes (with
// the same weights, transformers 4.57 gives the same bits for DistilBertModel and BertModel).
// Inputs: input_ids BxS int64, attention_mask BxS (0 = padding; bool where there is any), and
// token_type_ids BxS int64 where the shape has them. Outputs: hidden state BxSxwidth, and the
// pooled BxWidth where it has one. In training dropout is 0.1 everywhere, attention included, as
// published.
class Transformer final : public Network {
 public:
  Transformer(const TransformerShape& shape, ParameterSource& source);
  std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs, bool training) override;
  bool checkpoint_layers() override;

 private:
  struct Layer {
    Linear query, key, value, out;
    LayerNorm attention_norm;
    Linear up, down;
    LayerNorm output_norm;
  };

  static Layer make_layer(const TransformerShape& shape, ParameterSource& source, int64_t index);
  at::Tensor embed(const std::vector<at::Tensor>& inputs) const;
  at::Tensor attend(const Layer& layer, const at::Tensor& x, const std::optional<at::Tensor>& mask,
                    double dropout) const;

  at::Tensor apply(const Layer& layer, const at::Tensor& x, const std::optional<at::Tensor>& mask,
                   bool training) const;

  int64_t heads_;
  bool checkpointing_ = false;
  at::Tensor words_, positions_, token_types_;
  LayerNorm embedding_norm_;
  std::vector<Layer> layers_;
  std::optional<Linear> pooler_;
};

}  // namespace batchscope::torch_plugin
