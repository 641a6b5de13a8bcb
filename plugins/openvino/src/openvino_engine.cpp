#include "openvino_engine.hpp"

#include "devices.hpp"
#include "errors.hpp"
#include "model_file.hpp"
#include "model_inputs.hpp"
#include "openvino_model.hpp"

namespace batchscope::openvino_plugin {
namespace {

base::Result<void> check_can(const engine::ModelSpec& spec,
                             const engine::ExecutionSpec& execution) {
  if (execution.mode == schema::Mode::train) {
    return base::Error{base::ErrorKind::failed, "OpenVINO cannot train models", "--mode",
                       "use --mode infer, or --engine torch"};
  }
  if (spec.path.empty()) {
    return base::Error{
        base::ErrorKind::usage,
        "'" + spec.name + "' is not a file, and the engine openvino has no built-in models", "-m",
        "give the path of an .onnx or .xml file"};
  }
  return {};
}

}  // namespace

const engine::Clock& OpenvinoEngine::clock() const {
  return engine::steady_clock();
}

ov::Core& OpenvinoEngine::core() const {
  if (core_ == nullptr) core_ = std::make_shared<ov::Core>();
  return *core_;
}

std::map<std::string, std::string> OpenvinoEngine::versions() const {
  return {{"openvino", ov::get_openvino_version().buildNumber}};
}

std::vector<std::string> OpenvinoEngine::devices() const {
  using Names = base::Result<std::vector<std::string>>;
  const auto names = guarded(base::ErrorKind::failed, "openvino", "",
                             [&]() -> Names { return device_names(core()); });
  return names ? *names : std::vector<std::string>{};
}

base::Result<void> OpenvinoEngine::check_precision(const std::string& device,
                                                   schema::Precision precision) const {
  return guarded(base::ErrorKind::failed, "openvino", "", [&]() -> base::Result<void> {
    const auto found = find_device(core(), device);
    if (!found) return found.error();
    auto can = openvino_plugin::check_precision(core(), *found, precision);
    if (can) return can;
    base::Error error = can.error();
    error.kind = base::ErrorKind::usage;
    return error;
  });
}

base::Result<schema::ModelInfo> OpenvinoEngine::inspect(const engine::ModelSpec& spec) {
  if (auto can = check_can(spec, {}); !can) return can.error();
  return guarded(base::ErrorKind::failed, spec.path, "", [&]() -> base::Result<schema::ModelInfo> {
    const auto model = read_model(core(), spec.path);
    if (!model) return model.error();
    if (const auto inputs = model_inputs(**model, spec.inputs, spec.path); !inputs) {
      return inputs.error();
    }
    auto hash = model_hash(spec.path);
    if (!hash) return std::move(hash).error();
    schema::ModelInfo info;
    info.name = spec.name;
    info.path = spec.path;
    info.parameters = count_parameters(**model);
    info.hash = *std::move(hash);
    info.description = describe(**model, spec.path);
    return info;
  });
}

base::Result<std::vector<engine::InputSpec>> OpenvinoEngine::inputs_of(
    const engine::ModelSpec& spec) {
  using Inputs = base::Result<std::vector<engine::InputSpec>>;
  if (auto can = check_can(spec, {}); !can) return can.error();
  return guarded(base::ErrorKind::failed, spec.path, "", [&]() -> Inputs {
    const auto model = read_model(core(), spec.path);
    if (!model) return model.error();
    return model_inputs(**model, spec.inputs, spec.path);
  });
}

base::Result<std::unique_ptr<engine::Model>> OpenvinoEngine::load(
    const engine::ModelSpec& spec, const engine::ExecutionSpec& execution) {
  using Loaded = base::Result<std::unique_ptr<engine::Model>>;
  if (auto can = check_can(spec, execution); !can) return can.error();
  return guarded(base::ErrorKind::failed, spec.path, "", [&]() -> Loaded {
    const auto device = find_device(core(), execution.device);
    if (!device) return device.error();
    const auto model = read_model(core(), spec.path);
    if (!model) return model.error();
    auto inputs = model_inputs(**model, spec.inputs, spec.path);
    if (!inputs) return std::move(inputs).error();
    auto compiled = compile(core(), *model, *device, execution, /*profiling=*/false);
    if (!compiled) return std::move(compiled).error();
    return std::unique_ptr<engine::Model>(std::make_unique<OpenvinoModel>(
        core_, *std::move(compiled), *std::move(inputs), spec, execution));
  });
}

}  // namespace batchscope::openvino_plugin
