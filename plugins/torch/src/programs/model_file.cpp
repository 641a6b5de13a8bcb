#include "model_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace batchscope::torch_plugin {
namespace {

base::Error unreadable(const std::string& path, std::string what, std::string fix) {
  return {base::ErrorKind::input, std::move(what), path, std::move(fix)};
}

base::Error mismatch(const std::string& path, std::string what, const std::string& expects) {
  return {base::ErrorKind::usage, std::move(what) + "; " + expects, path,
          "give --input NAME:DIMENSIONS:TYPE for each input, such as --input x:Bx64 or --input "
          "input_ids:BxS:int64=0-30521"};
}

}  // namespace

base::Result<FileKind> kind_of(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    return unreadable(path, "no such file", "check the path");
  }
  if (!std::filesystem::is_regular_file(status)) {
    return unreadable(path, "is not a file", "give the path of a .pt or .pt2 file");
  }
  if (!std::ifstream(path))
    return unreadable(path, "cannot read the file", "check its permissions");
  if (std::filesystem::file_size(path, error) == 0) {
    return unreadable(path, "is empty", "save the model again");
  }
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".pt2") return FileKind::aot_inductor;
  if (ending == ".pt" || ending == ".pth" || ending == ".ts") return FileKind::torchscript;
  if (ending == ".onnx" || ending == ".xml") {
    return unreadable(path,
                      "is a model for OpenVINO (.onnx, .xml), which the engine torch cannot load",
                      "use --engine openvino");
  }
  return unreadable(path, "is neither TorchScript (.pt) nor an AOTInductor package (.pt2)",
                    "save it with torch.jit.trace(model, inputs).save('model.pt')");
}

base::Result<std::vector<engine::InputSpec>> match_inputs(
    const std::vector<Argument>& arguments, const std::vector<engine::InputSpec>& given,
    const std::string& path, const std::string& expects) {
  std::vector<engine::InputSpec> rest = given;
  const auto take = [&](const std::string& name) -> std::optional<engine::InputSpec> {
    const auto at = std::find_if(rest.begin(), rest.end(), [&](const auto& spec) {
      return name.empty() || spec.name == name;
    });
    if (at == rest.end()) return std::nullopt;
    engine::InputSpec spec = *at;
    rest.erase(at);
    return spec;
  };
  // Named arguments take theirs first, so that those known by place share what is left.
  std::vector<std::optional<engine::InputSpec>> taken(arguments.size());
  for (const bool named : {true, false}) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].name.empty() != named) taken[i] = take(arguments[i].name);
    }
  }
  if (!rest.empty()) {
    return mismatch(path, "the model has no input '" + rest.front().name + "'", expects);
  }
  std::vector<engine::InputSpec> ordered;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!taken[i] && arguments[i].required) {
      const std::string which = arguments[i].name.empty() ? "number " + std::to_string(i + 1)
                                                          : "'" + arguments[i].name + "'";
      return mismatch(path, "no shape for input " + which, expects);
    }
    if (!taken[i]) continue;
    if (ordered.size() < i) {
      return mismatch(path, "the inputs before '" + taken[i]->name + "' need shapes, too", expects);
    }
    ordered.push_back(*std::move(taken[i]));
  }
  return ordered;
}

}  // namespace batchscope::torch_plugin
