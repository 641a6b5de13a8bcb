#include "openvino_model.hpp"

#include "batchscope/schema/phases.hpp"
#include "diagnose.hpp"
#include "errors.hpp"
#include "model_inputs.hpp"
#include "tensors.hpp"

namespace batchscope::openvino_plugin {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

std::string run_fix() {
  return "if this concerns an input, check its dimensions, type and range (--input)";
}

// Reports the time since it was last asked.
class Laps {
 public:
  explicit Laps(engine::PhaseSink& sink) : sink_(sink), last_ns_(now()) {}
  void enter(std::string_view name) { sink_.enter(name); }
  void mark(std::string_view name) {
    const int64_t at = now();
    sink_.phase(name, at - last_ns_, std::nullopt);
    last_ns_ = at;
  }

 private:
  static int64_t now() { return engine::steady_clock().now_ns(); }
  engine::PhaseSink& sink_;
  int64_t last_ns_;
};

void put_inputs(ov::InferRequest& request, const std::vector<ov::Tensor>& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) request.set_input_tensor(i, inputs[i]);
}

std::vector<ov::Tensor> views_of(const std::vector<engine::Tensor>& tensors) {
  std::vector<ov::Tensor> views;
  for (const engine::Tensor& tensor : tensors) views.push_back(as_openvino(tensor));
  return views;
}

// Without a copy where the output is what pooling reads.
Result<engine::Tensor> pooled(const ov::Tensor& output, const engine::Tensor* mask,
                              const engine::Pool& pool) {
  const std::string name = "output_0";
  if (output.get_element_type() != ov::element::f32 || !output.is_continuous()) {
    return engine::pool_on_host(to_host_tensor(output, name), mask, pool);
  }
  const ov::Shape& shape = output.get_shape();
  return engine::pool_on_host(name, {shape.begin(), shape.end()},
                              {output.data<const float>(), output.get_size()}, mask, pool);
}

}  // namespace

BatchCycle::BatchCycle(std::vector<std::vector<engine::Tensor>> batches,
                       std::optional<schema::Tokens> tokens)
    : batches_(std::move(batches)), tokens_(tokens) {
  for (const auto& batch : batches_) views_.push_back(views_of(batch));
}

const std::vector<ov::Tensor>& BatchCycle::take() {
  const auto& taken = views_[next_];
  if (++next_ == views_.size()) next_ = 0;
  return taken;
}

OpenvinoModel::OpenvinoModel(std::shared_ptr<ov::Core> core, ov::CompiledModel compiled,
                             std::vector<engine::InputSpec> inputs, const engine::ModelSpec& spec,
                             const engine::ExecutionSpec& execution)
    : core_(std::move(core)),
      compiled_(std::move(compiled)),
      request_(compiled_.create_infer_request()),
      inputs_(std::move(inputs)),
      spec_(spec),
      execution_(execution) {}

Result<void> OpenvinoModel::check_batch_size(int64_t batch_size) const {
  for (const engine::InputSpec& input : inputs_) {
    const auto only = engine::fixed_batch(input);
    if (!only || *only == batch_size) continue;
    return Error{ErrorKind::failed,
                 "takes batches of exactly " + std::to_string(*only) + " (input " + input.name +
                     "), " + std::to_string(batch_size) + " was requested",
                 spec_.path,
                 "use --batch-sizes " + std::to_string(*only) +
                     ", or export the model with a dynamic batch"};
  }
  return {};
}

Result<std::unique_ptr<engine::Batch>> OpenvinoModel::prepare(const schema::Shape& shape) {
  using Made = Result<std::unique_ptr<engine::Batch>>;
  return guarded(ErrorKind::failed, spec_.path, run_fix(), [&]() -> Made {
    if (auto fits = check_batch_size(shape.batch_size); !fits) return fits.error();
    std::vector<std::vector<engine::Tensor>> batches;
    for (int64_t i = 0; i < schema::cycle_of(shape); ++i) {
      auto batch = engine::make_inputs(inputs_, shape, i, spec_.seed);
      if (!batch) return std::move(batch).error();
      batches.push_back(*std::move(batch));
    }
    return std::unique_ptr<engine::Batch>(
        std::make_unique<BatchCycle>(std::move(batches), schema::tokens_of(shape)));
  });
}

Result<void> OpenvinoModel::run(engine::Batch& batch, engine::PhaseSink& sink) {
  return guarded(ErrorKind::failed, spec_.path, run_fix(), [&]() -> Result<void> {
    const std::vector<ov::Tensor>& inputs = static_cast<BatchCycle&>(batch).take();
    Laps laps(sink);
    laps.enter(schema::phases::kToDevice);
    put_inputs(request_, inputs);
    laps.mark(schema::phases::kToDevice);
    laps.enter(schema::phases::kForward);
    request_.infer();
    laps.mark(schema::phases::kForward);
    laps.enter(schema::phases::kToHost);
    for (size_t i = 0; i < compiled_.outputs().size(); ++i) {
      static_cast<void>(request_.get_output_tensor(i).data());
    }
    laps.mark(schema::phases::kToHost);
    return {};
  });
}

Result<std::vector<engine::Tensor>> OpenvinoModel::infer(std::span<const engine::Tensor> inputs,
                                                         const engine::Pool& pool,
                                                         engine::PhaseSink& sink) {
  using Outputs = Result<std::vector<engine::Tensor>>;
  const auto matched = engine::match_tensors(inputs_, inputs, spec_.path);
  if (!matched) return matched.error();
  return guarded(ErrorKind::failed, spec_.path, run_fix(), [&]() -> Outputs {
    Laps laps(sink);
    laps.enter(schema::phases::kToDevice);
    for (size_t i = 0; i < matched->size(); ++i) {
      request_.set_input_tensor(i, as_openvino(*(*matched)[i]));
    }
    laps.mark(schema::phases::kToDevice);
    laps.enter(schema::phases::kForward);
    request_.infer();
    laps.mark(schema::phases::kForward);
    if (pool.does_something()) {
      laps.enter(schema::phases::kPool);
      auto vectors = pooled(request_.get_output_tensor(0), engine::find_mask(inputs), pool);
      if (!vectors) return std::move(vectors).error();
      laps.mark(schema::phases::kPool);
      laps.mark(schema::phases::kToHost);  // pooling has read the outputs where they are
      return std::vector<engine::Tensor>{*std::move(vectors)};
    }
    laps.enter(schema::phases::kToHost);
    std::vector<engine::Tensor> outputs;
    for (size_t i = 0; i < compiled_.outputs().size(); ++i) {
      outputs.push_back(
          to_host_tensor(request_.get_output_tensor(i), name_of(compiled_.output(i))));
    }
    laps.mark(schema::phases::kToHost);
    return outputs;
  });
}

Result<void> OpenvinoModel::diagnose(engine::Batch& batch,
                                     const std::filesystem::path& /*trace_file*/,
                                     schema::Diagnosis& diagnosis) {
  return guarded(ErrorKind::failed, spec_.path, "", [&] {
    return openvino_plugin::diagnose(*core_, spec_, execution_, static_cast<BatchCycle&>(batch),
                                     diagnosis);
  });
}

}  // namespace batchscope::openvino_plugin
