#include "torch_model.hpp"

#include <ATen/Context.h>
#include <ATen/DeviceAccelerator.h>
#include <ATen/ops/empty.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/InferenceMode.h>

#include <cmath>

#include "batches/ahead_loader.hpp"
#include "batches/file_loader.hpp"
#include "batchscope/schema/phases.hpp"
#include "diagnosis/diagnose.hpp"
#include "libtorch/device.hpp"
#include "libtorch/errors.hpp"
#include "libtorch/precision.hpp"

namespace batchscope::torch_plugin {
namespace {

bool waits_at_the_end(const engine::ExecutionSpec& execution, const c10::Device& device) {
  return execution.wait_each || !is_asynchronous(device);
}

// Each batch of a cycle is made from a seed of its own.
constexpr uint64_t kSeedsADraw = 1'000'003;

std::string run_fix() {
  return "if this concerns an input, check its dimensions, type and range (--input)";
}

std::string run_fix(const LoadedProgram& loaded) {
  const std::string expects = loaded.expects.empty() ? "" : loaded.expects + "; ";
  return expects + run_fix();
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
  // Else a model without weights would ask an allocator for its peaks that has none to tell.
  if (is_asynchronous(device)) at::globalContext().lazyInitDevice(device.type());
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
  return guarded(base::ErrorKind::failed, name_, run_fix(), [&]() -> Made {
    if (execution_.loader) return loader_of(shape);
    auto tokens = schema::tokens_of(shape);
    if (tokens) tokens->iterations /= execution_.accumulation;
    return BatchCycle::make([this, shape](uint64_t draw) { return made_up(shape, draw); },
                            execution_.accumulation, tokens);
  });
}

base::Result<std::unique_ptr<engine::Batch>> TorchModel::loader_of(const schema::Shape& shape) {
  const auto length = shape.seq_len ? shape.seq_len : loaded_.default_seq_len;
  if (loaded_.longest_seq_len && length > loaded_.longest_seq_len) {
    return base::Error{base::ErrorKind::failed,
                       "the model has positions for " + std::to_string(*loaded_.longest_seq_len) +
                           " tokens, but " + std::to_string(*length) + " were requested",
                       "--seq-lens", "change --seq-lens"};
  }
  if (!files_) {
    const auto source = loading::parse_sample_source(execution_.loader->source);
    if (!source) return source.error();
    auto files = loading::SampleFiles::open(*source, loaded_.inputs, seed_);
    if (!files) return std::move(files).error();
    files_ = *std::move(files);
  }
  const LoadingPlan plan{*execution_.loader, shape.batch_size, seed_, is_asynchronous(device_)};
  auto loader = FileLoader::make(files_, loaded_, length, plan);
  if (!loader) return std::move(loader).error();
  if (!execution_.loader->prefetch_to_device || !is_asynchronous(device_)) {
    return std::unique_ptr<engine::Batch>(*std::move(loader));
  }
  using Made = base::Result<std::unique_ptr<engine::Batch>>;
  return guarded(base::ErrorKind::failed, "--prefetch-to-device",
                 "omit it: LibTorch has no second stream on this kind of device", [&]() -> Made {
                   return std::unique_ptr<engine::Batch>(
                       std::make_unique<AheadLoader>(*std::move(loader), device_));
                 });
}

// A step's batches are the parts of one large batch: trained on in one go they would be the same
// samples. Those of a mix of lengths are padded each for itself.
base::Result<std::vector<HostBatch>> TorchModel::made_up(const schema::Shape& shape,
                                                         uint64_t draw) const {
  const bool training = trainer_ != nullptr;
  const auto floating = training ? at::kFloat : scalar_type(execution_.precision);
  const bool in_parts = execution_.accumulation > 1 && shape.lengths.empty();
  schema::Shape full = shape;
  if (in_parts) full.batch_size *= execution_.accumulation;
  auto batches = make_batches(loaded_, full, floating, training, seed_ + draw * kSeedsADraw);
  if (!batches) return batches.error();
  if (in_parts) batches = split(loaded_, batches->front(), execution_.accumulation);
  for (const HostBatch& batch : *batches) {
    if (auto taken = loaded_.program->check(batch.inputs); !taken) return taken.error();
  }
  return batches;
}

base::Result<void> TorchModel::infer(BatchSource& source, Timeline& timeline) {
  const c10::InferenceMode no_autograd;
  const auto batch = source.take();
  if (!batch) return batch.error();
  if (!is_asynchronous(device_)) {
    timeline.enter(schema::phases::kForward);
    loaded_.program->forward(batch->inputs);
    timeline.mark(schema::phases::kForward);
    return {};
  }
  timeline.enter(schema::phases::kToDevice);
  const std::vector<at::Tensor> inputs = moved(batch->inputs, device_);
  timeline.mark(schema::phases::kToDevice);
  timeline.enter(schema::phases::kForward);
  const std::vector<at::Tensor> outputs = loaded_.program->forward(inputs);
  timeline.mark(schema::phases::kForward);
  timeline.enter(schema::phases::kToHost);
  moved(outputs, c10::kCPU);  // into pinned memory, which LibTorch keeps until the copy is done
  timeline.mark(schema::phases::kToHost);
  return {};
}

base::Result<void> TorchModel::add_batch(BatchSource& source, Timeline& timeline) {
  if (source.loads()) timeline.enter(schema::phases::kLoad);
  const auto batch = source.take();
  if (!batch) return batch.error();
  if (source.loads()) timeline.mark(schema::phases::kLoad);
  if (!is_asynchronous(device_)) {
    trainer_->add(batch->inputs, batch->target, timeline);
    return {};
  }
  timeline.enter(schema::phases::kToDevice);
  source.await_arrival();
  const std::vector<at::Tensor> inputs = moved(batch->inputs, device_);
  std::optional<at::Tensor> target;
  if (batch->target) target = moved(*batch->target, device_);
  timeline.mark(schema::phases::kToDevice);
  trainer_->add(inputs, target, timeline);
  if (!source.sends_ahead()) return {};
  timeline.enter(schema::phases::kLoad);
  auto sent = source.send_next();
  timeline.mark(schema::phases::kLoad);
  return sent;
}

base::Result<void> TorchModel::train(BatchSource& source, Timeline& timeline) {
  ++steps_;
  for (int64_t i = 0; i < execution_.accumulation; ++i) {
    if (auto added = add_batch(source, timeline); !added) return added;
  }
  loss_ = trainer_->step(timeline);
  if (!is_asynchronous(device_)) return {};
  timeline.enter(schema::phases::kToHost);
  loss_ = moved(loss_, c10::kCPU);
  timeline.mark(schema::phases::kToHost);
  return {};
}

base::Result<void> TorchModel::check_loss() {
  if (!loss_.defined()) return {};
  last_loss_ = loss_.item<double>();
  const bool in_order = steps_ == static_cast<int64_t>(first_losses_.size()) + 1;
  if (in_order && first_losses_.size() < engine::kFirstLosses) first_losses_.push_back(*last_loss_);
  if (std::isfinite(*last_loss_)) return {};
  return base::Error{base::ErrorKind::failed, "the loss is " + std::to_string(*last_loss_), name_,
                     "train in fp32, or check that the model can train on random inputs"};
}

std::optional<int64_t> TorchModel::skipped_steps() const {
  return trainer_ ? trainer_->skipped_steps() : std::nullopt;
}

base::Result<void> TorchModel::iterate(BatchSource& source, engine::PhaseSink& sink) {
  const c10::DeviceGuard guard(device_);
  const bool waits = waits_at_the_end(execution_, device_);
  Timeline& timeline = waits ? timeline_ : open_.emplace_back(device_);
  timeline.start(&sink);
  auto issued = trainer_ ? train(source, timeline) : infer(source, timeline);
  if (!issued) return issued;
  if (!waits) return {};
  if (is_asynchronous(device_)) {
    timeline.enter(schema::phases::kSync);
    timeline.wait();
    timeline.mark(schema::phases::kSync, /*on_device=*/false);
  }
  timeline.report(sink);
  return check_loss();
}

base::Error TorchModel::explained(base::Error error) const {
  if (!speaks_of_absent_kernel(error.what)) return error;
  error.what = "LibTorch does not support this in " +
               std::string(schema::to_string(execution_.precision)) + " on " + device_.str() +
               ": " + error.what;
  error.where = "--precision";
  error.fix = "use bf16 or fp32, or another device";
  return error;
}

base::Result<void> TorchModel::run(engine::Batch& batch, engine::PhaseSink& sink) {
  auto ran = guarded(base::ErrorKind::failed, name_, run_fix(loaded_),
                     [&] { return iterate(static_cast<BatchSource&>(batch), sink); });
  if (ran) return ran;
  return explained(std::move(ran).error());
}

base::Result<engine::GradientNorms> TorchModel::norms_of(BatchSource& source) {
  const c10::DeviceGuard guard(device_);
  Timeline timeline(device_);  // nobody reads it
  timeline.start();
  engine::GradientNorms norms;
  for (int64_t i = 0; i < execution_.accumulation; ++i) {
    if (auto added = add_batch(source, timeline); !added) return added.error();
    norms.small_squared += trainer_->take_gradient();
  }
  norms.small_squared /= static_cast<double>(execution_.accumulation);
  norms.large_squared = trainer_->put_mean_gradient();
  ++steps_;
  loss_ = trainer_->step(timeline).to(c10::kCPU);
  if (auto finite = check_loss(); !finite) return finite.error();
  if (std::isfinite(norms.small_squared) && std::isfinite(norms.large_squared)) return norms;
  return base::Error{base::ErrorKind::failed, "a gradient is not finite", name_,
                     "measure in fp32, or with a smaller learning rate"};
}

base::Result<engine::GradientNorms> TorchModel::step_with_norms(engine::Batch& batch,
                                                                uint64_t draw) {
  using Norms = base::Result<engine::GradientNorms>;
  const bool scaled = execution_.precision == schema::Precision::fp16;
  if (!trainer_ || execution_.accumulation < 2 || scaled) {
    return base::Error{base::ErrorKind::failed,
                       scaled ? "gradients in fp16 are scaled" : "one gradient has no spread",
                       name_, "train in fp32 or bf16, with two or more batches per step"};
  }
  return guarded(base::ErrorKind::failed, name_, run_fix(loaded_), [&]() -> Norms {
    auto& source = static_cast<BatchSource&>(batch);
    if (auto drawn = source.draw_anew(draw); !drawn) return drawn.error();
    return norms_of(source);
  });
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
  const int64_t held_back = held_back_.defined() ? held_back_.numel() : 0;
  memory.peak_allocated_bytes = stats.allocated_bytes[kAll].peak - held_back;
  memory.peak_reserved_bytes = stats.reserved_bytes[kAll].peak - held_back;
  memory.device_allocations = stats.num_device_alloc - allocations_before_;
  return memory;
}

base::Result<void> TorchModel::hold_back(int64_t bytes) {
  if (!is_asynchronous(device_)) return {};  // the host's memory is held by a limit
  return guarded(base::ErrorKind::failed, name_, "", [&]() -> base::Result<void> {
    if (held_back_.defined()) {
      held_back_.reset();
      at::accelerator::emptyCache();
    }
    if (bytes > 0) held_back_ = at::empty({bytes}, at::TensorOptions(device_).dtype(at::kByte));
    return {};
  });
}

base::Result<void> TorchModel::diagnose(engine::Batch& batch,
                                        const std::filesystem::path& trace_file,
                                        schema::Diagnosis& diagnosis) {
  return torch_plugin::diagnose(*this, batch, device_, trace_file, diagnosis);
}

}  // namespace batchscope::torch_plugin
