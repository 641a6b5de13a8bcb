#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <memory>
#include <optional>
#include <vector>

#include "batchscope/base/result.hpp"
#include "libtorch/timeline.hpp"
#include "loss_scaler.hpp"
#include "programs/program.hpp"

namespace torch::optim {
class Optimizer;
}

namespace batchscope::torch_plugin {

// Training steps of one or several batches: forward, loss and backward of each, whose gradients are
// averaged, then the optimizer. Unscaling the gradients of fp16, and the check that they are
// finite, are the optimizer's.
class Trainer {
 public:
  // fp32, or bf16 or fp16 by autocast, fp16 with loss scaling. Errors: failed (nothing to train),
  // usage (an unknown optimizer).
  static base::Result<std::unique_ptr<Trainer>> make(LoadedProgram& loaded,
                                                     const engine::ExecutionSpec& execution,
                                                     c10::Device device);
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  // One batch of a step, of which there are ExecutionSpec::accumulation: adds its share to the
  // gradients. Marks forward, loss and backward.
  void add(const std::vector<at::Tensor>& inputs, const std::optional<at::Tensor>& target,
           Timeline& timeline);
  // Ends the step, marking `optimizer`; gradients are gone when it returns. Returns the mean loss
  // of its batches, on the device.
  at::Tensor step(Timeline& timeline);

  // Takes what was added since it was last called, or since the last step, out of the gradients,
  // and returns the squared norm of that batch's own gradient.
  double take_gradient();
  // Puts back what take_gradient() took since the last step. Returns the squared norm of the mean.
  double put_mean_gradient();

  // Steps without an update, for gradients that were not finite; absent where nothing is scaled.
  std::optional<int64_t> skipped_steps() const;

 private:
  Trainer(LoadedProgram& loaded, std::vector<at::Tensor> trained,
          std::unique_ptr<torch::optim::Optimizer> optimizer, c10::Device device,
          const engine::ExecutionSpec& execution);
  bool may_step();

  LoadedProgram& loaded_;
  std::vector<at::Tensor> trained_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
  c10::Device device_;
  std::optional<at::ScalarType> autocast_;
  std::optional<LossScaler> scaler_;
  int64_t batches_;               // of a step
  at::Tensor loss_;               // of those added so far, their share
  std::vector<at::Tensor> sums_;  // of the gradients taken, one a parameter
};

}  // namespace batchscope::torch_plugin
