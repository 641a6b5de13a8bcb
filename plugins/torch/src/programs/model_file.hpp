#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"

namespace batchscope::torch_plugin {

enum class FileKind { torchscript, aot_inductor };

// By the ending: .pt, .pth, .ts are TorchScript, .pt2 is an AOTInductor package. Errors: input,
// when the file is absent, a folder, empty, or ends otherwise.
base::Result<FileKind> kind_of(const std::string& path);

// One input of a model, as the file describes it.
struct Argument {
  std::string name;  // empty: known by its place only
  bool required = true;
};

// Puts the given inputs in the order of the arguments: by name, and those without a name in the
// order given. `expects` says what the model takes. Errors: usage (no inputs given, one that is
// unknown, missing or given twice).
base::Result<std::vector<engine::InputSpec>> match_inputs(
    const std::vector<Argument>& arguments, const std::vector<engine::InputSpec>& given,
    const std::string& path, const std::string& expects);

}  // namespace batchscope::torch_plugin
