#include "torch_model.hpp"

#include <ATen/Context.h>
#include <ATen/DeviceAccelerator.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/InferenceMode.h>

#include <cmath>

#include "device.hpp"
#include "diagnose.hpp"
#include "errors.hpp"
#include "precision.hpp"

namespace batchscope::torch_plugin {
namespace {

// The copies are issued, not waited for: the only wait of an iteration is the one at its end.
at::Tensor moved(const at::Tensor& tensor, c10::Device device) {
  return tensor.to(device, tensor.scalar_type(), /*non_blocking=*/true);
}

std::vector<at::Tensor> moved(const std::vector<at::Tensor>& tensors, c10::Device device) {
  std::vector<at::Tensor> result;
  result.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) result.push_back(moved(tensor, device));
  return result;
}

bool waits_at_the_end(const engine::ExecutionSpec& execution, const c10::Device& device) {
  return execution.wait_each || !is_asynchronous(device);
}

constexpr std::string_view kRunFix =
    "if an input is meant, check its dimensions, type and range (--input)";

std::string run_fix(const LoadedProgram& loaded) {
  const std::string expects = loaded.expects.empty() ? "" : loaded.expects + "; ";
  return expects + std::string(kRunFix);
}

}  // namespace

TorchModel::TorchModel(LoadedProgram loaded, const engine::ModelSpec& spec,
                       const engine::ExecutionSpec& execution, c10::Device device)
    : name_(spec.path.empty() ? spec.name : spec.path),
      seed_(spec.seed),
      loaded_(std::move(loaded)),
      execution_(execution),
      device_(device),
      timeline_(device) {}

base::Result<std::unique_ptr<engine::Model>> TorchModel::make(
    LoadedProgram loaded, const engine::ModelSpec& spec, const engine::ExecutionSpec& execution,
    c10::Device device) {
  std::unique_ptr<TorchModel> model(new TorchModel(std::move(loaded), spec, execution, device));
  if (execution.mode == schema::Mode::train) {
    auto trainer = Trainer::make(model->loaded_, execution, device);
    if (!trainer) return trainer.error();
    model->trainer_ = *std::move(trainer);
    at::manual_seed(spec.seed);  // dropout
    model->first_losses_.reserve(engine::kFirstLosses);
  }
  return std::unique_ptr<engine::Model>(std::move(model));
}

base::Result<std::unique_ptr<engine::Batch>> TorchModel::prepare(const schema::Shape& shape) {
  using Made = base::Result<std::unique_ptr<engine::Batch>>;
  return guarded(base::ErrorKind::failed, name_, std::string(kRunFix), [&]() -> Made {
    const bool training = trainer_ != nullptr;
    const auto floating = training ? at::kFloat : scalar_type(execution_.precision);
    auto batches = make_batches(loaded_, shape, floating, training, seed_);
    if (!batches) return batches.error();
    for (const HostBatch& batch : *batches) {
      if (auto taken = loaded_.program->check(batch.inputs); !taken) return taken.error();
    }
    return std::unique_ptr<engine::Batch>(
        std::make_unique<BatchCycle>(*std::move(batches), schema::tokens_of(shape)));
  });
}

void TorchModel::infer(const HostBatch& batch, Timeline& timeline) {
  const c10::InferenceMode no_autograd;
  if (!is_asynchronous(device_)) {
    loaded_.program->forward(batch.inputs);
    timeline.mark("forward");
    return;
  }
  const std::vector<at::Tensor> inputs = moved(batch.inputs, device_);
  timeline.mark("h2d");
  const std::vector<at::Tensor> outputs = loaded_.program->forward(inputs);
  timeline.mark("forward");
  moved(outputs, c10::kCPU);  // into pinned memory, which LibTorch keeps until the copy is done
  timeline.mark("d2h");
}

void TorchModel::train(const HostBatch& batch, Timeline& timeline) {
  ++steps_;
  if (!is_asynchronous(device_)) {
    loss_ = trainer_->step(batch.inputs, batch.target, timeline);
    return;
  }
  const std::vector<at::Tensor> inputs = moved(batch.inputs, device_);
  std::optional<at::Tensor> target;
  if (batch.target) target = moved(*batch.target, device_);
  timeline.mark("h2d");
  loss_ = moved(trainer_->step(inputs, target, timeline), c10::kCPU);
  timeline.mark("d2h");
}

base::Result<void> TorchModel::check_loss() {
  if (!loss_.defined()) return {};
  last_loss_ = loss_.item<double>();
  const bool in_order = steps_ == static_cast<int64_t>(first_losses_.size()) + 1;
  if (in_order && first_losses_.size() < engine::kFirstLosses) first_losses_.push_back(*last_loss_);
  if (std::isfinite(*last_loss_)) return {};
  return base::Error{base::ErrorKind::failed, "the loss is " + std::to_string(*last_loss_), name_,
                     "train in fp32, or check that the model trains with random inputs"};
}

std::optional<int64_t> TorchModel::skipped_steps() const {
  return trainer_ ? trainer_->skipped_steps() : std::nullopt;
}

base::Result<void> TorchModel::iterate(const HostBatch& batch, engine::PhaseSink& sink) {
  const c10::DeviceGuard guard(device_);
  const bool waits = waits_at_the_end(execution_, device_);
  Timeline& timeline = waits ? timeline_ : open_.emplace_back(device_);
  timeline.start();
  trainer_ ? train(batch, timeline) : infer(batch, timeline);
  if (!waits) return {};
  if (is_asynchronous(device_)) {
    timeline.wait();
    timeline.mark("sync", /*on_device=*/false);
  }
  timeline.report(sink);
  return check_loss();
}

base::Error TorchModel::explained(base::Error error) const {
  if (!speaks_of_absent_kernel(error.what)) return error;
  error.what = "LibTorch cannot compute this in " +
               std::string(schema::to_string(execution_.precision)) + " on " + device_.str() +
               ": " + error.what;
  error.where = "--precision";
  error.fix = "use bf16 or fp32, or another device";
  return error;
}

base::Result<void> TorchModel::run(engine::Batch& batch, engine::PhaseSink& sink) {
  auto ran = guarded(base::ErrorKind::failed, name_, run_fix(loaded_),
                     [&] { return iterate(static_cast<BatchCycle&>(batch).take(), sink); });
  if (ran) return ran;
  return explained(std::move(ran).error());
}

base::Result<void> TorchModel::wait(engine::PhaseSink& sink) {
  return guarded(base::ErrorKind::failed, name_, "", [&]() -> base::Result<void> {
    if (open_.empty()) return {};
    open_.back().wait();
    for (const Timeline& timeline : open_) timeline.report(sink);
    open_.clear();
    return check_loss();
  });
}

void TorchModel::reset_memory_peaks() {
  if (!is_asynchronous(device_)) return;
  at::accelerator::resetPeakStats(device_.index());
  allocations_before_ = at::accelerator::getDeviceStats(device_.index()).num_device_alloc;
}

schema::Memory TorchModel::memory() const {
  schema::Memory memory;  // the host's peak is the worker's to read
  if (!is_asynchronous(device_)) return memory;
  const auto stats = at::accelerator::getDeviceStats(device_.index());
  constexpr auto kAll = static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  memory.peak_allocated_bytes = stats.allocated_bytes[kAll].peak;
  memory.peak_reserved_bytes = stats.reserved_bytes[kAll].peak;
  memory.device_allocations = stats.num_device_alloc - allocations_before_;
  return memory;
}

base::Result<void> TorchModel::diagnose(engine::Batch& batch, schema::Diagnosis& diagnosis) {
  return torch_plugin::diagnose(*this, batch, device_, diagnosis);
}

}  // namespace batchscope::torch_plugin
