#include "aot_program.hpp"

#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <algorithm>
#include <sstream>

#include "aot_inputs.hpp"
#include "aot_package.hpp"
#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "libtorch/device.hpp"
#include "libtorch/errors.hpp"
#include "libtorch/precision.hpp"

namespace batchscope::torch_plugin {
namespace {

using Loader = torch::inductor::AOTIModelPackageLoader;

class AotProgram final : public Program {
 public:
  AotProgram(std::unique_ptr<Loader> loader, std::vector<CompiledInput> compiled, std::string path)
      : loader_(std::move(loader)), compiled_(std::move(compiled)), path_(std::move(path)) {}

  std::vector<at::Tensor> forward(const std::vector<at::Tensor>& inputs) override {
    return loader_->run(inputs);
  }

  base::Result<void> check(const std::vector<at::Tensor>& inputs) const override {
    for (size_t i = 0; i < std::min(inputs.size(), compiled_.size()); ++i) {
      if (fits(compiled_[i], inputs[i])) continue;
      std::ostringstream given;
      given << inputs[i].scalar_type() << ' ' << inputs[i].sizes();
      return base::Error{base::ErrorKind::failed,
                         "input number " + std::to_string(i + 1) + " is " + given.str() +
                             ", and was compiled for " + describe(compiled_[i]),
                         path_, "change --input, or compile the model with dynamic shapes"};
    }
    return {};
  }

  std::vector<at::Tensor> parameters() override { return {}; }

 private:
  std::unique_ptr<Loader> loader_;
  std::vector<CompiledInput> compiled_;
  std::string path_;
};

base::Result<std::unique_ptr<Loader>> open_package(const std::string& path, c10::Device device) {
  return guarded(base::ErrorKind::input, path, std::string(kPackageFix),
                 [&]() -> base::Result<std::unique_ptr<Loader>> {
                   return std::make_unique<Loader>(path, "model", false, 1, device.index());
                 });
}

base::Result<void> check_device(const std::string& compiled, const std::string& path,
                                c10::Device device) {
  const std::string wanted = c10::DeviceTypeName(device.type(), true);
  if (compiled.empty() || compiled == wanted) return {};
  return base::Error{base::ErrorKind::failed,
                     "was compiled for " + compiled + ", not for " + wanted, path,
                     "use --device " + compiled + ", or compile it again"};
}

base::Result<void> check_threads(const std::string& sources, const std::string& path, int threads) {
  for (const int compiled : fixed_threads(sources)) {
    if (compiled == threads) continue;
    return base::Error{base::ErrorKind::failed,
                       "was compiled for " + std::to_string(compiled) + " threads, " +
                           std::to_string(threads) + " were requested",
                       path,
                       "use --threads " + std::to_string(compiled) +
                           ", or compile it with TORCHINDUCTOR_CPP_DYNAMIC_THREADS=1"};
  }
  return {};
}

std::string count_of_inputs(const std::vector<Argument>& arguments) {
  return std::to_string(arguments.size()) + (arguments.size() == 1 ? " input" : " inputs");
}

// "the model takes 3 inputs: 2 by place, mask"
std::string expectation(const std::vector<Argument>& arguments) {
  const auto by_place = std::count_if(arguments.begin(), arguments.end(),
                                      [](const Argument& each) { return each.name.empty(); });
  std::string text = "the model takes " + count_of_inputs(arguments) + ": " +
                     std::to_string(by_place) + " by place";
  for (const Argument& each : arguments) {
    if (!each.name.empty()) text += ", " + each.name;
  }
  return text;
}

base::Result<void> set_inputs(LoadedProgram& loaded, Loader& loader,
                              const engine::ModelSpec& spec) {
  const auto call = loader.get_call_spec();
  const auto arguments = call.empty() ? std::nullopt : parse_call_spec(call.front());
  if (!arguments) {  // then the package itself says at the first run what it misses
    loaded.inputs = spec.inputs;
    return {};
  }
  loaded.expects = expectation(*arguments);
  auto inputs = match_inputs(*arguments, spec.inputs, spec.path, loaded.expects);
  if (!inputs) return inputs.error();
  loaded.inputs = *std::move(inputs);
  return {};
}

std::vector<at::ScalarType> constant_types(Loader& loader) {
  return base::mapped(loader.get_runner()->getConstantNamesToDtypes(),
                      [](const auto& named) { return static_cast<at::ScalarType>(named.second); });
}

// Compiled for sizes of 2 and more, and a trial tells samples apart by several.
constexpr int64_t kTriedBatch = 5, kTriedLength = 16;

Extent extent_of(const CompiledInput::Size& size, bool first) {
  if (size.fixed) return {*size.fixed, Extent::Is::reported};
  const int64_t wanted = first ? kTriedBatch : kTriedLength;
  return {std::min(wanted, size.largest.value_or(wanted)),
          first ? Extent::Is::batch : Extent::Is::length, size.largest};
}

std::string name_of(const std::vector<Argument>& arguments, size_t i, size_t count) {
  if (i < arguments.size() && !arguments[i].name.empty()) return arguments[i].name;
  return count == 1 ? "x" : "input_" + std::to_string(i + 1);
}

Draft draft_of(const CompiledInput& input, std::string name) {
  Draft draft;
  draft.name = std::move(name);
  const auto type = engine::parse_dtype(input.dtype);
  draft.type = type ? scalar_type(*type) : at::kFloat;
  for (size_t i = 0; i < input.sizes.size(); ++i) {
    draft.extents.push_back(extent_of(input.sizes[i], i == 0));
  }
  // Which of several is the length nothing tells.
  const auto is_length = [](const Extent& each) { return each.is == Extent::Is::length; };
  if (std::count_if(draft.extents.begin(), draft.extents.end(), is_length) > 1) {
    for (Extent& each : draft.extents) {
      if (is_length(each)) each.is = Extent::Is::open;
    }
  }
  return draft;
}

}  // namespace

base::Result<TriedProgram> try_aot(const std::string& path) {
  const auto package = read_package(path);
  if (!package) return package.error();
  const auto device = find_device(
      package->device.empty() || package->device == "cpu" ? "cpu" : package->device + ":0");
  if (!device) return device.error();
  auto loader = open_package(path, *device);
  if (!loader) return loader.error();
  const auto compiled = compiled_inputs(package->sources);
  if (compiled.empty()) {
    return base::Error{base::ErrorKind::usage, "its sources do not show the compiled shapes", path,
                       "add its shape, such as --input x:Bx64"};
  }
  const auto call = (*loader)->get_call_spec();
  const auto arguments = call.empty() ? std::nullopt : parse_call_spec(call.front());
  TriedProgram tried;
  tried.device = *device;
  tried.shapes_reported = true;
  tried.aborts = true;
  for (size_t i = 0; i < compiled.size(); ++i) {
    tried.drafts.push_back(draft_of(
        compiled[i], name_of(arguments.value_or(std::vector<Argument>()), i, compiled.size())));
  }
  tried.expects = "the package takes " + base::join(base::mapped(compiled, describe), ", ");
  tried.program = std::make_unique<AotProgram>(*std::move(loader), compiled, path);
  return tried;
}

base::Result<LoadedProgram> load_aot(const engine::ModelSpec& spec,
                                     const engine::ExecutionSpec& execution, c10::Device device) {
  if (execution.mode == schema::Mode::train) {
    return base::Error{base::ErrorKind::failed, "a compiled package cannot be trained", spec.path,
                       "use --mode infer, or a TorchScript file"};
  }
  const auto package = read_package(spec.path);
  if (!package) return package.error();
  if (auto checked = check_device(package->device, spec.path, device); !checked) {
    return checked.error();
  }
  if (auto checked = check_threads(package->sources, spec.path, execution.threads); !checked) {
    return checked.error();
  }
  auto loader = open_package(spec.path, device);
  if (!loader) return loader.error();
  const auto stored = constant_types(**loader);
  if (auto checked = check_stored(
          stored, execution.precision, spec.path,
          "a .pt2 file has a fixed precision: use that one (--precision), or compile it again");
      !checked) {
    return checked.error();
  }
  LoadedProgram loaded;
  if (auto set = set_inputs(loaded, **loader, spec); !set) return set.error();
  loaded.program = std::make_unique<AotProgram>(*std::move(loader),
                                                compiled_inputs(package->sources), spec.path);
  return loaded;
}

base::Result<FileFacts> inspect_aot(const std::string& path) {
  // Read before it is opened: the loader leaves a folder behind for what is no package.
  if (const auto package = read_package(path); !package) return package.error();
  auto loader = open_package(path, c10::kCPU);
  if (!loader) return loader.error();
  return guarded(base::ErrorKind::input, path, "", [&]() -> base::Result<FileFacts> {
    FileFacts facts;
    for (const auto& [name, t] : (*loader)->get_runner()->extract_constants_map(false)) {
      if (t.is_floating_point()) facts.parameters += t.numel();
    }
    const auto call = (*loader)->get_call_spec();
    const auto arguments = call.empty() ? std::nullopt : parse_call_spec(call.front());
    facts.description = "AOTInductor package";
    if (arguments) facts.description += ", " + count_of_inputs(*arguments);
    return facts;
  });
}

}  // namespace batchscope::torch_plugin
