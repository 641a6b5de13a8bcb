#include "torchscript_program.hpp"

#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <sstream>

#include "libtorch/errors.hpp"
#include "libtorch/precision.hpp"
#include "model_file.hpp"

namespace batchscope::torch_plugin {
namespace {

void collect(const c10::IValue& value, std::vector<at::Tensor>& tensors) {
  if (value.isTensor()) {
    tensors.push_back(value.toTensor());
  } else if (value.isTuple()) {
    for (const auto& element : value.toTupleRef().elements()) collect(element, tensors);
  } else if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) collect(element, tensors);
  } else if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) collect(entry.value(), tensors);
  }
}

class TorchscriptProgram final : public Program {
 public:
  explicit TorchscriptProgram(torch::jit::Module module) : module_(std::move(module)) {}

  std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs) override {
    const c10::IValue output = module_.forward({inputs.begin(), inputs.end()});
    std::vector<at::Tensor> tensors;
    collect(output, tensors);
    return tensors;
  }

  std::vector<at::Tensor> parameters() override {
    std::vector<at::Tensor> tensors;
    for (const at::Tensor& tensor : module_.parameters()) tensors.push_back(tensor);
    return tensors;
  }

 private:
  torch::jit::Module module_;
};

base::Result<torch::jit::Module> read_module(const std::string& path, c10::Device device) {
  return guarded(
      base::ErrorKind::input, path,
      "save the model with torch.jit.trace(model, inputs).save(path) or "
      "torch.jit.script(model).save(path); torch.save writes another format",
      [&]() -> base::Result<torch::jit::Module> { return torch::jit::load(path, device); });
}

// "forward(Tensor x, Tensor? mask=None) -> Tensor", without self.
std::string signature(const c10::FunctionSchema& schema) {
  std::ostringstream text;
  text << "forward(";
  for (size_t i = 1; i < schema.arguments().size(); ++i) {
    text << (i > 1 ? ", " : "") << schema.arguments()[i].type()->repr_str() << ' '
         << schema.arguments()[i].name();
  }
  text << ')';
  return text.str();
}

bool takes_tensor(const c10::TypePtr& type) {
  if (type->kind() == c10::TypeKind::TensorType) return true;
  const auto optional = type->cast<c10::OptionalType>();
  return optional && optional->getElementType()->kind() == c10::TypeKind::TensorType;
}

base::Result<std::vector<Argument>> tensor_arguments(const c10::FunctionSchema& schema,
                                                     const std::string& path) {
  std::vector<Argument> arguments;
  for (size_t i = 1; i < schema.arguments().size(); ++i) {
    const c10::Argument& each = schema.arguments()[i];
    const bool required = !each.default_value().has_value();
    if (takes_tensor(each.type())) {
      arguments.push_back({each.name(), required});
    } else if (required) {
      return base::Error{base::ErrorKind::input,
                         "input '" + each.name() + "' is " + each.type()->repr_str() +
                             ", but batchscope can pass only tensors",
                         path, "wrap the model so that " + signature(schema) + " takes tensors"};
    } else {
      break;  // it and what follows keep their defaults
    }
  }
  return arguments;
}

void convert_if_floating(const at::Tensor& tensor, at::ScalarType type) {
  if (tensor.is_floating_point()) tensor.set_data(tensor.to(type));
}

// As module.to(dtype) in Python: numbers that count or point at something stay whole. The method of
// that name in C++ converts these too.
void convert_floats(const torch::jit::Module& module, at::ScalarType type) {
  for (const at::Tensor& tensor : module.parameters()) convert_if_floating(tensor, type);
  for (const at::Tensor& tensor : module.buffers()) convert_if_floating(tensor, type);
}

base::Result<void> set_precision(torch::jit::Module& module, const engine::ExecutionSpec& execution,
                                 const std::string& path) {
  if (execution.mode == schema::Mode::infer && execution.precision != schema::Precision::fp32) {
    convert_floats(module, scalar_type(execution.precision));
    return {};
  }
  std::vector<at::ScalarType> stored;
  for (const at::Tensor& tensor : module.parameters()) stored.push_back(tensor.scalar_type());
  const bool train = execution.mode == schema::Mode::train;  // autocast wants fp32 weights
  return check_stored(
      stored, schema::Precision::fp32, path,
      train ? "train a model stored in float32" : "use the stored precision (--precision)");
}

// With the shapes of the example that a trace was made with, as types of the graph's inputs;
// without where they cannot be worked out.
base::Result<torch::jit::Module> read_with_shapes(const std::string& path) {
  using Read = base::Result<torch::jit::Module>;
  const auto traced = guarded(base::ErrorKind::input, path, "", [&]() -> base::Result<bool> {
    return caffe2::serialize::PyTorchStreamReader(path).hasRecord("traced_inputs.pkl");
  });
  if (!traced || !*traced) return read_module(path, c10::kCPU);
  auto module = guarded(base::ErrorKind::input, path, "", [&]() -> Read {
    torch::jit::ExtraFilesMap none;
    return torch::jit::import_ir_module(std::make_shared<torch::jit::CompilationUnit>(), path,
                                        c10::kCPU, none, /*load_debug_files=*/false,
                                        /*restore_shapes=*/true);
  });
  return module ? std::move(module) : read_module(path, c10::kCPU);
}

at::ScalarType floating_type(const torch::jit::Module& module) {
  for (const at::Tensor& tensor : module.parameters()) {
    if (tensor.is_floating_point()) return tensor.scalar_type();
  }
  return at::kFloat;
}

Draft draft_of(const Argument& argument, const torch::jit::Value& value, at::ScalarType floating) {
  Draft draft;
  draft.name = argument.name;
  draft.type = floating;
  const auto type = value.type()->cast<c10::TensorType>();
  if (!type) return draft;
  const auto sizes = type->sizes().concrete_sizes();
  if (!sizes || !type->scalarType()) return draft;
  draft.type = *type->scalarType();
  for (const int64_t size : *sizes) draft.extents.push_back({size, Extent::Is::reported});
  return draft;
}

}  // namespace

base::Result<LoadedProgram> load_torchscript(const engine::ModelSpec& spec,
                                             const engine::ExecutionSpec& execution,
                                             c10::Device device) {
  auto module = read_module(spec.path, device);
  if (!module) return module.error();
  const c10::FunctionSchema schema = module->get_method("forward").function().getSchema();
  LoadedProgram loaded;
  loaded.expects = "the model takes " + signature(schema);
  const auto arguments = tensor_arguments(schema, spec.path);
  if (!arguments) return arguments.error();
  auto inputs = match_inputs(*arguments, spec.inputs, spec.path, loaded.expects);
  if (!inputs) return inputs.error();
  loaded.inputs = *std::move(inputs);
  if (auto set = set_precision(*module, execution, spec.path); !set) return set.error();
  module->train(execution.mode == schema::Mode::train);
  loaded.program = std::make_unique<TorchscriptProgram>(*std::move(module));
  return loaded;
}

base::Result<TriedProgram> try_torchscript(const std::string& path) {
  auto module = read_with_shapes(path);
  if (!module) return module.error();
  return guarded(base::ErrorKind::input, path, "the module needs a forward method",
                 [&]() -> base::Result<TriedProgram> {
                   auto& forward =
                       torch::jit::toGraphFunction(module->get_method("forward").function());
                   const auto arguments = tensor_arguments(forward.getSchema(), path);
                   if (!arguments) return arguments.error();
                   TriedProgram tried;
                   tried.expects = "the model takes " + signature(forward.getSchema());
                   tried.floating = floating_type(*module);
                   tried.shapes_reported = true;
                   for (size_t i = 0; i < arguments->size(); ++i) {
                     if (!(*arguments)[i].required) break;
                     const torch::jit::Value* value = forward.graph()->inputs()[i + 1];
                     tried.drafts.push_back(draft_of((*arguments)[i], *value, tried.floating));
                     tried.shapes_reported &= !tried.drafts.back().extents.empty();
                   }
                   module->eval();
                   tried.program = std::make_unique<TorchscriptProgram>(*std::move(module));
                   return tried;
                 });
}

base::Result<FileFacts> inspect_torchscript(const std::string& path) {
  auto module = read_module(path, c10::kCPU);
  if (!module) return module.error();
  return guarded(base::ErrorKind::input, path, "the module needs a forward method",
                 [&]() -> base::Result<FileFacts> {
                   FileFacts facts;
                   for (const at::Tensor& t : module->parameters()) facts.parameters += t.numel();
                   const auto schema = module->get_method("forward").function().getSchema();
                   facts.description = "TorchScript, " + signature(schema);
                   return facts;
                 });
}

}  // namespace batchscope::torch_plugin
