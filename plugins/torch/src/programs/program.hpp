#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/engine/engine.hpp"

namespace batchscope::torch_plugin {

// What computes outputs from inputs, whatever it was made of.
class Program {
 public:
  virtual ~Program() = default;
  // Inputs on the model's device, in the order of LoadedProgram::inputs. Throws what LibTorch
  // throws.
  virtual std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs) = 0;
  // Asked once a batch, before it is run: whether the program can take it. Errors: failed.
  virtual base::Result<void> check(const std::vector<at::Tensor>&) const { return {}; }
  // What training changes; empty where the program cannot be trained.
  virtual std::vector<at::Tensor> parameters() = 0;
};

enum class Loss {
  cross_entropy,  // of the first output (BxC) against class numbers (B)
  mean_square,    // of the first output against the target, or against 0 without one
};

// A program with what it is to be fed.
struct LoadedProgram {
  std::unique_ptr<Program> program;
  std::vector<engine::InputSpec> inputs;
  Loss loss = Loss::mean_square;
  std::optional<engine::InputSpec> target;  // training only
  std::optional<int64_t> default_seq_len;   // where the shape gives none
  std::optional<int64_t> longest_seq_len;   // what the model has positions for
  // A mask that holds padding comes as bool, whatever its input declares; see Transformer.
  bool bool_masks = false;
  std::string expects;  // one line for errors: what the model takes
};

}  // namespace batchscope::torch_plugin
