#include "trainer.hpp"

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/mse_loss.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include "precision.hpp"

namespace batchscope::torch_plugin {
namespace {

// Small enough that random targets do not drive the weights away within any number of iterations
// that is timed.
constexpr double kSgdRate = 1e-3;
constexpr double kSgdMomentum = 0.9;
constexpr double kAdamwRate = 1e-5;

base::Result<std::unique_ptr<torch::optim::Optimizer>> make_optimizer(
    const std::string& name, std::vector<at::Tensor> parameters) {
  std::unique_ptr<torch::optim::Optimizer> optimizer;
  if (name == "sgd") {
    optimizer = std::make_unique<torch::optim::SGD>(
        std::move(parameters), torch::optim::SGDOptions(kSgdRate).momentum(kSgdMomentum));
  } else if (name == "adamw") {
    optimizer = std::make_unique<torch::optim::AdamW>(std::move(parameters),
                                                      torch::optim::AdamWOptions(kAdamwRate));
  } else {
    return base::Error{base::ErrorKind::usage, "unknown optimizer '" + name + "'", "--optimizer",
                       "use sgd or adamw"};
  }
  return optimizer;
}

at::Tensor loss_of(Loss kind, const at::Tensor& output, const std::optional<at::Tensor>& target) {
  const at::Tensor prediction = output.to(at::kFloat);
  if (kind == Loss::cross_entropy) return at::cross_entropy_loss(prediction, *target);
  return target ? at::mse_loss(prediction, *target) : prediction.square().mean();
}

}  // namespace

base::Result<std::unique_ptr<Trainer>> Trainer::make(LoadedProgram& loaded,
                                                     const engine::ExecutionSpec& execution,
                                                     c10::Device device) {
  std::vector<at::Tensor> trained;
  for (at::Tensor& each : loaded.program->parameters()) {
    if (each.requires_grad()) trained.push_back(std::move(each));
  }
  if (trained.empty()) {
    return base::Error{base::ErrorKind::failed, "the model has no parameters to train", "--mode",
                       "profile it with --mode infer; a frozen or compiled model cannot be "
                       "trained"};
  }
  auto optimizer = make_optimizer(execution.optimizer, trained);
  if (!optimizer) return optimizer.error();
  return std::unique_ptr<Trainer>(
      new Trainer(loaded, std::move(trained), *std::move(optimizer), device, execution.precision));
}

Trainer::Trainer(LoadedProgram& loaded, std::vector<at::Tensor> trained,
                 std::unique_ptr<torch::optim::Optimizer> optimizer, c10::Device device,
                 schema::Precision precision)
    : loaded_(loaded),
      trained_(std::move(trained)),
      optimizer_(std::move(optimizer)),
      device_(device) {
  if (precision != schema::Precision::fp32) autocast_ = scalar_type(precision);
  if (precision == schema::Precision::fp16) scaler_.emplace();
}

Trainer::~Trainer() = default;

bool Trainer::may_step() {
  return !scaler_ || scaler_->unscale(trained_);
}

std::optional<int64_t> Trainer::skipped_steps() const {
  return scaler_ ? std::optional(scaler_->skipped()) : std::nullopt;
}

at::Tensor Trainer::step(const std::vector<at::Tensor>& inputs,
                         const std::optional<at::Tensor>& target, Timeline& timeline) {
  at::Tensor loss;
  {
    const Autocast autocast(device_.type(), autocast_);
    const std::vector<at::Tensor> outputs = loaded_.program->forward(inputs);
    TORCH_CHECK(!outputs.empty() && outputs.front().is_floating_point(),
                "the first output is not a floating-point tensor: there is nothing to train on");
    timeline.mark("forward");
    loss = loss_of(loaded_.loss, outputs.front(), target);
    timeline.mark("loss");
  }
  (scaler_ ? scaler_->scaled(loss) : loss).backward();
  timeline.mark("backward");
  if (may_step()) optimizer_->step();
  optimizer_->zero_grad();
  timeline.mark("optimizer");
  return loss.detach();
}

}  // namespace batchscope::torch_plugin
