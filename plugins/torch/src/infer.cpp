#include <c10/core/DeviceGuard.h>
#include <c10/core/InferenceMode.h>

#include "batchscope/schema/phases.hpp"
#include "libtorch/device.hpp"
#include "libtorch/errors.hpp"
#include "libtorch/host_tensors.hpp"
#include "libtorch/precision.hpp"
#include "torch_model.hpp"

namespace batchscope::torch_plugin {
namespace {

using HostOutputs = base::Result<std::vector<engine::Tensor>>;

// The input that tells real tokens from padding, where there is one for whole texts.
std::optional<at::Tensor> mask_of(const std::vector<engine::InputSpec>& specs,
                                  const std::vector<at::Tensor>& inputs) {
  for (size_t i = 0; i < specs.size(); ++i) {
    if (engine::is_mask(specs[i]) && inputs[i].dim() == 2) return inputs[i];
  }
  return std::nullopt;
}

std::vector<engine::Tensor> named(const std::vector<at::Tensor>& outputs) {
  std::vector<engine::Tensor> tensors;
  for (size_t i = 0; i < outputs.size(); ++i) {
    tensors.push_back(to_host_tensor(outputs[i], "output_" + std::to_string(i)));
  }
  return tensors;
}

}  // namespace

std::vector<at::Tensor> TorchModel::taken(std::span<const engine::Tensor* const> given) const {
  const at::ScalarType floating = scalar_type(execution_.precision);
  std::vector<at::Tensor> inputs;
  for (size_t i = 0; i < given.size(); ++i) {
    at::Tensor tensor = as_torch(*given[i]);
    if (tensor.scalar_type() == at::kFloat) tensor = tensor.to(floating);
    // As batch.cpp makes it: a mask that holds padding.
    const bool mask = loaded_.bool_masks && engine::is_mask(loaded_.inputs[i]);
    if (mask && tensor.eq(0).any().item<bool>()) tensor = tensor.to(at::kBool);
    inputs.push_back(tensor.to(device_, tensor.scalar_type(), /*non_blocking=*/true));
  }
  return inputs;
}

HostOutputs TorchModel::infer_once(std::span<const engine::Tensor* const> given,
                                   const engine::Pool& pool, engine::PhaseSink& sink) {
  const c10::DeviceGuard guard(device_);
  const c10::InferenceMode no_autograd;
  Timeline& timeline = timeline_;
  timeline.start(&sink);
  timeline.enter(schema::phases::kToDevice);
  const std::vector<at::Tensor> inputs = taken(given);
  if (auto fits = loaded_.program->check(inputs); !fits) return fits.error();
  timeline.mark(schema::phases::kToDevice);
  timeline.enter(schema::phases::kForward);
  std::vector<at::Tensor> outputs = loaded_.program->forward(inputs);
  timeline.mark(schema::phases::kForward);
  if (pool.does_something()) {
    if (outputs.empty()) {
      return base::Error{base::ErrorKind::input, "the model has no output to pool", name_, ""};
    }
    timeline.enter(schema::phases::kPool);
    auto vectors = pooled(outputs.front(), mask_of(loaded_.inputs, inputs), pool);
    if (!vectors) return std::move(vectors).error();
    outputs.assign(1, *vectors);
    timeline.mark(schema::phases::kPool);
  }
  timeline.enter(schema::phases::kToHost);
  if (is_asynchronous(device_)) {
    for (at::Tensor& output : outputs) {
      output = output.to(c10::kCPU, output.scalar_type(), /*non_blocking=*/true);
    }
    timeline.mark(schema::phases::kToHost);
    timeline.enter(schema::phases::kSync);
    timeline.wait();
    timeline.mark(schema::phases::kSync, /*on_device=*/false);
  }
  auto tensors = named(outputs);
  if (!is_asynchronous(device_)) timeline.mark(schema::phases::kToHost);
  timeline.report(sink);
  return tensors;
}

HostOutputs TorchModel::infer(std::span<const engine::Tensor> inputs, const engine::Pool& pool,
                              engine::PhaseSink& sink) {
  if (trainer_) {
    return base::Error{base::ErrorKind::failed, "was loaded for training", name_,
                       "use --mode infer"};
  }
  const auto matched = engine::match_tensors(loaded_.inputs, inputs, name_);
  if (!matched) return matched.error();
  auto outputs = guarded(base::ErrorKind::failed, name_, loaded_.expects,
                         [&] { return infer_once(*matched, pool, sink); });
  if (outputs) return outputs;
  return explained(std::move(outputs).error());
}

}  // namespace batchscope::torch_plugin
