#include "model_file.hpp"

#include <filesystem>
#include <fstream>
#include <openvino/op/constant.hpp>

#include "batchscope/engine/content_hash.hpp"
#include "errors.hpp"
#include "model_inputs.hpp"

namespace batchscope::openvino_plugin {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
namespace fs = std::filesystem;

std::string ending(const std::string& path) {
  return fs::path(path).extension().string();
}

Error unreadable(const std::string& path, std::string what, std::string fix) {
  return {ErrorKind::input, std::move(what), path, std::move(fix)};
}

// Whether it begins as ONNX's outermost message or as XML does. What does not would be tried as
// every other format that OpenVINO knows, with a message of each on standard error.
bool begins_well(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (ending(path) == ".xml") {
    char first = 0;
    return file >> first && first == '<';
  }
  const int first = file.get();
  const int field = first >> 3, wire = first & 7;
  const bool known = field > 0 && (field <= 8 || field == 14) && (wire == 0 || wire == 2);
  return known || first >= 0x80;
}

Result<void> check_kind(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) return unreadable(path, "no such file", "check the path");
  if (!fs::is_regular_file(status)) {
    return unreadable(path, "is not a file", "give the path of an .onnx or .xml file");
  }
  if (!std::ifstream(path))
    return unreadable(path, "cannot read the file", "check its permissions");
  const std::string end = ending(path);
  if (end == ".onnx" || end == ".xml") return {};
  if (end == ".pt" || end == ".pt2" || end == ".pth" || end == ".ts") {
    return unreadable(path, "is a LibTorch model, which the engine openvino cannot load",
                      "use --engine torch, or export the model: torch.onnx.export, or "
                      "openvino.convert_model and openvino.save_model");
  }
  return unreadable(path, "is neither ONNX (.onnx) nor OpenVINO's own format (.xml)",
                    "export the model with torch.onnx.export or openvino.save_model");
}

std::string fix_for(const std::string& path) {
  if (ending(path) == ".onnx") {
    return "export it again with torch.onnx.export; keep external weight files next to the .onnx "
           "file";
  }
  return "save it again with openvino.save_model; keep the .bin file next to the .xml file";
}

std::string words_of(const ov::Output<const ov::Node>& port) {
  return name_of(port) + " " + port.get_element_type().to_string() + " " +
         port.get_partial_shape().to_string();
}

}  // namespace

Result<std::shared_ptr<ov::Model>> read_model(ov::Core& core, const std::string& path) {
  if (auto kind = check_kind(path); !kind) return kind.error();
  if (!begins_well(path)) {
    return unreadable(path, "does not match its file type", fix_for(path));
  }
  return guarded(ErrorKind::input, path, fix_for(path),
                 [&]() -> Result<std::shared_ptr<ov::Model>> { return core.read_model(path); });
}

Result<std::string> model_hash(const std::string& path) {
  auto own = engine::file_hash(path);
  const fs::path weights = fs::path(path).replace_extension(".bin");
  std::error_code ignored;
  if (!own || ending(path) != ".xml" || !fs::exists(weights, ignored)) return own;
  const auto of_weights = engine::file_hash(weights);
  if (!of_weights) return of_weights;
  return engine::content_hash(*own + *of_weights);
}

int64_t count_parameters(const ov::Model& model) {
  int64_t count = 0;
  for (const auto& node : model.get_ops()) {
    const auto constant = ov::as_type_ptr<ov::op::v0::Constant>(node);
    if (constant == nullptr || !constant->get_element_type().is_real()) continue;
    count += static_cast<int64_t>(ov::shape_size(constant->get_shape()));
  }
  return count;
}

std::string describe(const ov::Model& model, const std::string& path) {
  std::string text = ending(path) == ".onnx" ? "ONNX, " : "OpenVINO IR, ";
  const char* between = "";
  for (const auto& input : model.inputs()) {
    text += between + words_of(input);
    between = ", ";
  }
  between = " -> ";
  for (const auto& output : model.outputs()) {
    text += between + words_of(output);
    between = ", ";
  }
  return text;
}

}  // namespace batchscope::openvino_plugin
