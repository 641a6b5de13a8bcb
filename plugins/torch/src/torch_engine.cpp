#include "torch_engine.hpp"

#include <ATen/Context.h>
#include <ATen/DeviceAccelerator.h>
#include <ATen/Version.h>
#include <torch/version.h>

#include "batchscope/engine/content_hash.hpp"
#include "batchscope/schema/device_name.hpp"
#include "inputs/find_inputs.hpp"
#include "libtorch/device.hpp"
#include "libtorch/errors.hpp"
#include "libtorch/precision.hpp"
#include "networks/builtin_program.hpp"
#include "programs/aot_program.hpp"
#include "programs/model_file.hpp"
#include "programs/torchscript_program.hpp"
#include "torch_model.hpp"

namespace batchscope::torch_plugin {
namespace {

base::Result<schema::ModelInfo> inspect_builtin(const engine::ModelSpec& spec) {
  const auto builtin = find_builtin(spec.name);
  if (!builtin) return builtin.error();
  ParameterCounter counter;
  builtin->build(counter);
  schema::ModelInfo info;
  info.name = spec.name;
  info.parameters = counter.parameters();
  info.hash = engine::content_hash(counter.definition());
  info.description = builtin->summary + "; random weights";
  return info;
}

base::Result<schema::ModelInfo> inspect_file(const engine::ModelSpec& spec) {
  const auto kind = kind_of(spec.path);
  if (!kind) return kind.error();
  const auto facts =
      *kind == FileKind::torchscript ? inspect_torchscript(spec.path) : inspect_aot(spec.path);
  if (!facts) return facts.error();
  auto hash = engine::file_hash(spec.path);
  if (!hash) return hash.error();
  schema::ModelInfo info;
  info.name = spec.name;
  info.path = spec.path;
  info.parameters = facts->parameters;
  info.hash = *std::move(hash);
  info.description = facts->description;
  return info;
}

base::Result<void> check_checkpointing(const engine::ModelSpec& spec,
                                       const engine::ExecutionSpec& execution) {
  if (!execution.checkpointing) return {};
  std::string known;
  bool can = false;
  for (const Builtin& builtin : builtins()) {
    if (!builtin.checkpointing) continue;
    known += (known.empty() ? "" : ", ") + builtin.name;
    can |= spec.path.empty() && builtin.name == spec.name;
  }
  if (can && execution.mode == schema::Mode::train) return {};
  return base::Error{base::ErrorKind::usage,
                     can ? "inference keeps no activations" : "its layers cannot be checkpointed",
                     "--checkpointing", "use it with --mode train and one of " + known};
}

base::Result<void> check_training(const engine::ExecutionSpec& execution) {
  const bool asked = execution.accumulation != 1 || execution.loader.has_value();
  if (!asked || execution.mode == schema::Mode::train) return {};
  return base::Error{base::ErrorKind::usage,
                     "inference takes no optimizer steps and generates its inputs",
                     "--accumulation, --loader", "use these with --mode train"};
}

base::Result<LoadedProgram> load_program(const engine::ModelSpec& spec,
                                         const engine::ExecutionSpec& execution,
                                         c10::Device device) {
  if (spec.path.empty()) {
    const auto builtin = find_builtin(spec.name);
    if (!builtin) return builtin.error();
    return make_builtin(*builtin, spec.seed, execution, device);
  }
  const auto kind = kind_of(spec.path);
  if (!kind) return kind.error();
  return *kind == FileKind::torchscript ? load_torchscript(spec, execution, device)
                                        : load_aot(spec, execution, device);
}

}  // namespace

const engine::Clock& TorchEngine::clock() const {
  return engine::steady_clock();
}

std::map<std::string, std::string> TorchEngine::versions() const {
  std::map<std::string, std::string> versions{{"torch", TORCH_VERSION},
                                              {"cpu_capability", at::get_cpu_capability()}};
  if (at::hasMKL()) versions["mkl"] = at::get_mkl_version();
  if (at::globalContext().hasMKLDNN()) versions["onednn"] = at::get_mkldnn_version();
  if (at::hasOpenMP()) versions["openmp"] = at::get_openmp_version();
  if (at::hasCUDA()) {
    const long cuda = at::globalContext().versionCUDART();  // 1000 major + 10 minor
    versions["cuda"] = std::to_string(cuda / 1000) + "." + std::to_string(cuda % 1000 / 10);
  }
  return versions;
}

std::vector<std::string> TorchEngine::devices() const {
  return device_names();
}

std::vector<engine::ModelDescription> TorchEngine::models() const {
  std::vector<engine::ModelDescription> models;
  for (const Builtin& builtin : builtins()) models.push_back(describe(builtin));
  return models;
}

base::Result<schema::ModelInfo> TorchEngine::inspect(const engine::ModelSpec& spec) {
  return spec.path.empty() ? inspect_builtin(spec) : inspect_file(spec);
}

base::Result<std::vector<engine::InputSpec>> TorchEngine::inputs_of(const engine::ModelSpec& spec) {
  using Inputs = base::Result<std::vector<engine::InputSpec>>;
  if (!spec.inputs.empty() || spec.path.empty()) return spec.inputs;
  return guarded(base::ErrorKind::failed, spec.path, "",
                 [&]() -> Inputs { return find_inputs(spec.path); });
}

base::Result<std::unique_ptr<engine::Model>> TorchEngine::load(
    const engine::ModelSpec& spec, const engine::ExecutionSpec& execution) {
  using Loaded = base::Result<std::unique_ptr<engine::Model>>;
  const std::string where = spec.path.empty() ? spec.name : spec.path;
  return guarded(base::ErrorKind::failed, where, "", [&]() -> Loaded {
    const auto device = find_device(execution.device);
    if (!device) return device.error();
    if (auto set = set_threads(execution.threads); !set) return set.error();
    if (auto can = check_checkpointing(spec, execution); !can) return can.error();
    if (auto can = check_training(execution); !can) return can.error();
    keep_float32_exact();
    auto program = load_program(spec, execution, *device);
    if (!program) return program.error();
    return TorchModel::make(*std::move(program), spec, execution, *device);
  });
}

void TorchEngine::give_back_unused_memory(const std::string& device) {
  if (schema::is_cpu(device)) return;  // asking for accelerators starts their driver
  (void)guarded(base::ErrorKind::failed, device, "", []() -> base::Result<void> {
    at::accelerator::emptyCache();
    return {};
  });
}

}  // namespace batchscope::torch_plugin
