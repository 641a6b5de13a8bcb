#pragma once

#include <c10/core/Device.h>

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batches/batch.hpp"
#include "batchscope/engine/abilities.hpp"
#include "batchscope/loading/sample_files.hpp"
#include "libtorch/timeline.hpp"
#include "programs/program.hpp"
#include "training/trainer.hpp"

namespace batchscope::torch_plugin {

// Runs a program as a user's loop would: inputs from host to device, compute, result to the host,
// and one wait at the end. On the CPU nothing is moved and nothing is waited for, so the phases
// h2d, d2h and sync do not exist there.
class TorchModel final
    : public engine::ModelWith<engine::TakesTensors, engine::HoldsBack, engine::TellsLosses,
                               engine::ShowsGradients, engine::Diagnoses> {
 public:
  // Errors: as Trainer::make. `name` stands in errors.
  static base::Result<std::unique_ptr<engine::Model>> make(LoadedProgram loaded,
                                                           const engine::ModelSpec& spec,
                                                           const engine::ExecutionSpec& execution,
                                                           c10::Device device);

  base::Result<std::unique_ptr<engine::Batch>> prepare(const schema::Shape& shape) override;
  base::Result<void> run(engine::Batch& batch, engine::PhaseSink& sink) override;
  std::vector<engine::InputSpec> inputs() const override { return loaded_.inputs; }
  base::Result<std::vector<engine::Tensor>> infer(std::span<const engine::Tensor> inputs,
                                                  const engine::Pool& pool,
                                                  engine::PhaseSink& sink) override;
  base::Result<void> wait(engine::PhaseSink& sink) override;
  void reset_memory_peaks() override;
  schema::Memory memory() const override;
  base::Result<void> hold_back(int64_t bytes) override;
  std::optional<double> last_loss() const override { return last_loss_; }
  base::Result<void> diagnose(engine::Batch& batch, const std::filesystem::path& trace_file,
                              schema::Diagnosis& diagnosis) override;
  std::vector<double> first_losses() const override { return first_losses_; }
  std::optional<int64_t> skipped_steps() const override;
  base::Result<engine::GradientNorms> step_with_norms(engine::Batch& batch, uint64_t draw) override;

 private:
  TorchModel(LoadedProgram loaded, const engine::ModelSpec& spec,
             const engine::ExecutionSpec& execution, c10::Device device);

  // Both issue one iteration; train keeps the loss for check_loss.
  base::Result<void> infer(BatchSource& source, Timeline& timeline);
  base::Result<void> train(BatchSource& source, Timeline& timeline);
  // Forward and backward pass of one batch of a step.
  base::Result<void> add_batch(BatchSource& source, Timeline& timeline);
  base::Result<void> iterate(BatchSource& source, engine::PhaseSink& sink);
  base::Result<engine::GradientNorms> norms_of(BatchSource& source);
  base::Result<std::vector<HostBatch>> made_up(const schema::Shape& shape, uint64_t draw) const;
  base::Result<std::unique_ptr<engine::Batch>> loader_of(const schema::Shape& shape);
  // Given tensors as the program takes them: on the device, in its precision.
  std::vector<at::Tensor> taken(std::span<const engine::Tensor* const> given) const;
  base::Result<std::vector<engine::Tensor>> infer_once(std::span<const engine::Tensor* const> given,
                                                       const engine::Pool& pool,
                                                       engine::PhaseSink& sink);
  // What LibTorch's errors do not say by themselves.
  base::Error explained(base::Error error) const;
  base::Result<void> check_loss();

  std::string name_;
  uint64_t seed_;
  LoadedProgram loaded_;
  engine::ExecutionSpec execution_;
  c10::Device device_;
  std::unique_ptr<Trainer> trainer_;
  std::shared_ptr<const loading::SampleFiles> files_;  // of the loader, opened when first needed
  Timeline timeline_;
  std::deque<Timeline> open_;  // wait_each = false: iterations whose device times are not read yet
  at::Tensor loss_;            // of the last iteration, on the host once the device is done
  std::optional<double> last_loss_;
  int64_t steps_ = 0;  // of training
  std::vector<double> first_losses_;
  int64_t allocations_before_ = 0;
  at::Tensor held_back_;  // bytes of the device that nobody is to use; undefined: none
};

}  // namespace batchscope::torch_plugin
