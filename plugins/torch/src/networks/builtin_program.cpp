#include "builtin_program.hpp"

#include "libtorch/precision.hpp"

namespace batchscope::torch_plugin {
namespace {

bool is_training(const engine::ExecutionSpec& execution) {
  return execution.mode == schema::Mode::train;
}

class BuiltinProgram final : public Program {
 public:
  BuiltinProgram(const Builtin& builtin, uint64_t seed, at::ScalarType dtype, c10::Device device,
                 const engine::ExecutionSpec& execution)
      : factory_(seed, dtype, device, is_training(execution)),
        network_(builtin.build(factory_)),
        training_(is_training(execution)) {
    if (execution.checkpointing) network_->checkpoint_layers();
  }

  std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs) override {
    return network_->forward(inputs, training_);
  }

  std::vector<at::Tensor> parameters() override {
    std::vector<at::Tensor> tensors;
    for (const auto& [name, tensor] : factory_.named()) tensors.push_back(tensor);
    return tensors;
  }

 private:
  ParameterFactory factory_;
  std::unique_ptr<Network> network_;
  bool training_;
};

}  // namespace

LoadedProgram make_builtin(const Builtin& builtin, uint64_t seed,
                           const engine::ExecutionSpec& execution, c10::Device device) {
  const at::ScalarType dtype =
      is_training(execution) ? at::kFloat : scalar_type(execution.precision);
  LoadedProgram loaded;
  loaded.program = std::make_unique<BuiltinProgram>(builtin, seed, dtype, device, execution);
  loaded.inputs = builtin.inputs;
  loaded.loss = builtin.loss;
  loaded.target = builtin.target;
  loaded.default_seq_len = builtin.default_seq_len;
  loaded.longest_seq_len = builtin.longest_seq_len;
  loaded.bool_masks = true;
  return loaded;
}

}  // namespace batchscope::torch_plugin
