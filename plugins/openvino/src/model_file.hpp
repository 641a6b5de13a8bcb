#pragma once

#include <memory>
#include <openvino/openvino.hpp>
#include <string>

#include "batchscope/base/result.hpp"

namespace batchscope::openvino_plugin {

// Reads an .onnx file, or an .xml of OpenVINO's own format with the .bin beside it. Errors: input
// (absent, another kind of file, content that cannot be read).
base::Result<std::shared_ptr<ov::Model>> read_model(ov::Core& core, const std::string& path);

// Of the file, and of the weights beside it where they stand in a file of their own. Errors: input.
base::Result<std::string> model_hash(const std::string& path);

// Elements of all constants of a floating-point type, of the types that weights are compressed to
// included.
int64_t count_parameters(const ov::Model& model);

// "OpenVINO IR, input_ids int64 [?,?] -> y float32 [?,?,384]"
std::string describe(const ov::Model& model, const std::string& path);

}  // namespace batchscope::openvino_plugin
