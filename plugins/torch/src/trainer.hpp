#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <memory>
#include <optional>
#include <vector>

#include "batchscope/base/result.hpp"
#include "loss_scaler.hpp"
#include "program.hpp"
#include "timeline.hpp"

namespace torch::optim {
class Optimizer;
}

namespace batchscope::torch_plugin {

// One training step: forward, loss, backward, optimizer. Unscaling the gradients of fp16, and the
// check that they are finite, are the optimizer's.
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

  // Marks its four phases; gradients are gone when it returns. Returns the loss, on the device.
  at::Tensor step(const std::vector<at::Tensor>& inputs, const std::optional<at::Tensor>& target,
                  Timeline& timeline);

  // Steps without an update, for gradients that were not finite; absent where nothing is scaled.
  std::optional<int64_t> skipped_steps() const;

 private:
  Trainer(LoadedProgram& loaded, std::vector<at::Tensor> trained,
          std::unique_ptr<torch::optim::Optimizer> optimizer, c10::Device device,
          schema::Precision precision);
  bool may_step();

  LoadedProgram& loaded_;
  std::vector<at::Tensor> trained_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
  c10::Device device_;
  std::optional<at::ScalarType> autocast_;
  std::optional<LossScaler> scaler_;
};

}  // namespace batchscope::torch_plugin
