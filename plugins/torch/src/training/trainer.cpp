#include "trainer.hpp"

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/mse_loss.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <utility>

#include "batchscope/schema/open_enum.hpp"
#include "batchscope/schema/phases.hpp"
#include "batchscope/schema/run_config.hpp"
#include "libtorch/precision.hpp"

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
  const auto kind = schema::OpenEnum<schema::Optimizer>(name).value();
  if (kind == schema::Optimizer::sgd) {
    optimizer = std::make_unique<torch::optim::SGD>(
        std::move(parameters), torch::optim::SGDOptions(kSgdRate).momentum(kSgdMomentum));
  } else if (kind == schema::Optimizer::adamw) {
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

double squared_norm(const at::Tensor& gradient) {
  const double norm = at::linalg_vector_norm(gradient).item<double>();
  return norm * norm;
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
    return base::Error{
        base::ErrorKind::failed, "the model has no parameters to train", "--mode",
        "profile it with --mode infer; a frozen or compiled model cannot be trained"};
  }
  auto optimizer = make_optimizer(execution.optimizer, trained);
  if (!optimizer) return optimizer.error();
  return std::unique_ptr<Trainer>(
      new Trainer(loaded, std::move(trained), *std::move(optimizer), device, execution));
}

Trainer::Trainer(LoadedProgram& loaded, std::vector<at::Tensor> trained,
                 std::unique_ptr<torch::optim::Optimizer> optimizer, c10::Device device,
                 const engine::ExecutionSpec& execution)
    : loaded_(loaded),
      trained_(std::move(trained)),
      optimizer_(std::move(optimizer)),
      device_(device),
      batches_(execution.accumulation) {
  if (execution.precision != schema::Precision::fp32) {
    autocast_ = scalar_type(execution.precision);
  }
  if (execution.precision == schema::Precision::fp16) scaler_.emplace();
}

Trainer::~Trainer() = default;

bool Trainer::may_step() {
  return !scaler_ || scaler_->unscale(trained_);
}

std::optional<int64_t> Trainer::skipped_steps() const {
  return scaler_ ? std::optional(scaler_->skipped()) : std::nullopt;
}

void Trainer::add(const std::vector<at::Tensor>& inputs, const std::optional<at::Tensor>& target,
                  Timeline& timeline) {
  at::Tensor loss;
  timeline.enter(schema::phases::kForward);
  {
    const Autocast autocast(device_.type(), autocast_);
    const std::vector<at::Tensor> outputs = loaded_.program->forward(inputs);
    TORCH_CHECK(!outputs.empty() && outputs.front().is_floating_point(),
                "the first output is not a floating-point tensor, so it gives no loss");
    timeline.mark(schema::phases::kForward);
    timeline.enter(schema::phases::kLoss);
    loss = loss_of(loaded_.loss, outputs.front(), target);
    if (batches_ > 1) loss = loss / batches_;
    timeline.mark(schema::phases::kLoss);
  }
  timeline.enter(schema::phases::kBackward);
  (scaler_ ? scaler_->scaled(loss) : loss).backward();
  const at::Tensor share = loss.detach();
  loss_ = loss_.defined() ? loss_ + share : share;
  timeline.mark(schema::phases::kBackward);
}

at::Tensor Trainer::step(Timeline& timeline) {
  timeline.enter(schema::phases::kOptimizer);
  if (may_step()) optimizer_->step();
  optimizer_->zero_grad();
  sums_.clear();
  timeline.mark(schema::phases::kOptimizer);
  return std::exchange(loss_, at::Tensor());
}

double Trainer::take_gradient() {
  double squared = 0;
  const bool first = sums_.empty();
  for (size_t i = 0; i < trained_.size(); ++i) {
    const at::Tensor& gradient = trained_[i].grad();
    if (first) sums_.emplace_back();
    if (!gradient.defined()) continue;
    squared += squared_norm(gradient);
    sums_[i] = sums_[i].defined() ? sums_[i].add_(gradient) : gradient;
  }
  optimizer_->zero_grad();  // lets go of them, and leaves them as they are
  const auto batches = static_cast<double>(batches_);
  return squared * batches * batches;  // the loss was divided by them
}

double Trainer::put_mean_gradient() {
  double squared = 0;
  for (size_t i = 0; i < sums_.size(); ++i) {
    if (!sums_[i].defined()) continue;
    squared += squared_norm(sums_[i]);
    trained_[i].mutable_grad() = sums_[i];
  }
  return squared;
}

}  // namespace batchscope::torch_plugin
