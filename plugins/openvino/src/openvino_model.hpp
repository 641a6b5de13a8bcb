#pragma once

#include <memory>
#include <openvino/openvino.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/engine/abilities.hpp"

namespace batchscope::openvino_plugin {

// The batches of one cycle (one batch, without lengths), taken in turn.
class BatchCycle final : public engine::Batch {
 public:
  BatchCycle(std::vector<std::vector<engine::Tensor>> batches,
             std::optional<schema::Tokens> tokens);

  int64_t cycle() const override { return static_cast<int64_t>(batches_.size()); }
  std::optional<schema::Tokens> tokens() const override { return tokens_; }
  const std::vector<std::vector<engine::Tensor>>& batches() const { return batches_; }
  // The inputs whose turn it is, in the memory of batches().
  const std::vector<ov::Tensor>& take();

 private:
  std::vector<std::vector<engine::Tensor>> batches_;
  std::vector<std::vector<ov::Tensor>> views_;
  std::optional<schema::Tokens> tokens_;
  size_t next_ = 0;
};

// One model with one inference request, which is run synchronously: phases h2d (handing the inputs
// over), forward, d2h (taking the outputs). On the CPU no phase but forward moves any data.
class OpenvinoModel final : public engine::ModelWith<engine::TakesTensors, engine::Diagnoses> {
 public:
  OpenvinoModel(std::shared_ptr<ov::Core> core, ov::CompiledModel compiled,
                std::vector<engine::InputSpec> inputs, const engine::ModelSpec& spec,
                const engine::ExecutionSpec& execution);

  base::Result<std::unique_ptr<engine::Batch>> prepare(const schema::Shape& shape) override;
  base::Result<void> run(engine::Batch& batch, engine::PhaseSink& sink) override;
  std::vector<engine::InputSpec> inputs() const override { return inputs_; }
  base::Result<std::vector<engine::Tensor>> infer(std::span<const engine::Tensor> inputs,
                                                  const engine::Pool& pool,
                                                  engine::PhaseSink& sink) override;
  base::Result<void> wait(engine::PhaseSink&) override { return {}; }
  void reset_memory_peaks() override {}
  schema::Memory memory() const override { return {}; }  // the host's is the worker's to read
  base::Result<void> diagnose(engine::Batch& batch, const std::filesystem::path& trace_file,
                              schema::Diagnosis& diagnosis) override;

 private:
  base::Result<void> check_batch_size(int64_t batch_size) const;

  std::shared_ptr<ov::Core> core_;  // outlives what was compiled with it
  ov::CompiledModel compiled_;
  ov::InferRequest request_;
  std::vector<engine::InputSpec> inputs_;
  engine::ModelSpec spec_;
  engine::ExecutionSpec execution_;
};

}  // namespace batchscope::openvino_plugin
