#include "loss_scaler.hpp"

#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <limits>

namespace batchscope::torch_plugin {
namespace {

constexpr double kGrowth = 2;
constexpr double kBackoff = 0.5;
constexpr int kGrowthInterval = 2000;
constexpr double kLargest = std::numeric_limits<float>::max();

}  // namespace

at::Tensor LossScaler::scaled(const at::Tensor& loss) const {
  return loss * scale_;
}

bool LossScaler::unscale(const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& parameter : parameters) {
    if (parameter.grad().defined()) gradients.push_back(parameter.grad());
  }
  if (gradients.empty()) return true;
  const auto options = at::TensorOptions(gradients.front().device()).dtype(at::kFloat);
  at::Tensor found = at::zeros({1}, options);
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, found,
                                                 at::full({1}, 1 / scale_, options));
  if (found.item<float>() != 0) {
    scale_ *= kBackoff;
    good_in_a_row_ = 0;
    ++skipped_;
    return false;
  }
  if (++good_in_a_row_ == kGrowthInterval) {
    if (scale_ * kGrowth <= kLargest) scale_ *= kGrowth;
    good_in_a_row_ = 0;
  }
  return true;
}

}  // namespace batchscope::torch_plugin
