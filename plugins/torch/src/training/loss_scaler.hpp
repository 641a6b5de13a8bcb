#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace batchscope::torch_plugin {

// Keeps small gradients above what fp16 can hold: the loss is multiplied by a scale before the
// backward pass, the gradients are divided by it after. The scale begins at 65536, is halved when a
// gradient is not finite, and doubled after 2000 steps in a row without that: the defaults of
// torch.amp.GradScaler.
class LossScaler {
 public:
  at::Tensor scaled(const at::Tensor& loss) const;
  // Divides the gradients of `parameters` (all on one device) and adjusts the scale. False: one of
  // them is not finite, and no step is to be taken with them. Waits for the device, for whether to
  // step is decided on the host, as GradScaler does.
  bool unscale(const std::vector<at::Tensor>& parameters);

  double scale() const { return scale_; }
  int64_t skipped() const { return skipped_; }

 private:
  double scale_ = 65536;
  int64_t skipped_ = 0;
  int good_in_a_row_ = 0;
};

}  // namespace batchscope::torch_plugin
