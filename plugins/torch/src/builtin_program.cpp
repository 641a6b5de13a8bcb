#include "builtin_program.hpp"

#include "precision.hpp"

namespace batchscope::torch_plugin {
namespace {

class BuiltinProgram final : public Program {
 public:
  BuiltinProgram(const Builtin& builtin, uint64_t seed, at::ScalarType dtype, c10::Device device,
                 bool training)
      : factory_(seed, dtype, device, training),
        network_(builtin.build(factory_)),
        training_(training) {}

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
  const bool training = execution.mode == schema::Mode::train;
  const at::ScalarType dtype = training ? at::kFloat : scalar_type(execution.precision);
  LoadedProgram loaded;
  loaded.program = std::make_unique<BuiltinProgram>(builtin, seed, dtype, device, training);
  loaded.inputs = builtin.inputs;
  loaded.loss = builtin.loss;
  loaded.target = builtin.target;
  loaded.default_seq_len = builtin.default_seq_len;
  loaded.longest_seq_len = builtin.longest_seq_len;
  loaded.bool_masks = true;
  return loaded;
}

}  // namespace batchscope::torch_plugin
