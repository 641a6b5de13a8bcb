#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <memory>
#include <optional>
#include <vector>

#include "batchscope/base/result.hpp"
#include "program.hpp"
#include "timeline.hpp"

namespace torch::optim {
class Optimizer;
}

namespace batchscope::torch_plugin {

// One training step: forward, loss, backward, optimizer.
class Trainer {
 public:
  // fp32, or bf16 by autocast. Errors: failed (fp16; nothing to train), usage (an unknown
  // optimizer).
  static base::Result<std::unique_ptr<Trainer>> make(LoadedProgram& loaded,
                                                     const engine::ExecutionSpec& execution,
                                                     c10::Device device);
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  // Marks its four phases; gradients are gone when it returns. Returns the loss, on the device.
  at::Tensor step(const std::vector<at::Tensor>& inputs, const std::optional<at::Tensor>& target,
                  Timeline& timeline);

 private:
  Trainer(LoadedProgram& loaded, std::unique_ptr<torch::optim::Optimizer> optimizer,
          c10::Device device, std::optional<at::ScalarType> autocast);

  LoadedProgram& loaded_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
  c10::Device device_;
  std::optional<at::ScalarType> autocast_;
};

}  // namespace batchscope::torch_plugin
