#pragma once

#include <openvino/openvino.hpp>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"

namespace batchscope::openvino_plugin {

// One of its tensor names, else that of the operation.
std::string name_of(const ov::Output<const ov::Node>& port);

// What the model is to be fed, in its order: `given`, held against what the model says, or without
// any what it says of itself. Then a first dimension of no fixed size is B and one other is S; a
// first dimension of a fixed size is that number; masks are 1, and numbers that look up a row of a
// table stay below its height. Errors: usage (an input that the model has not, or that is missing;
// dimensions or a type that do not fit; more than one dimension that could be S), input (a type
// that cannot be fed).
base::Result<std::vector<engine::InputSpec>> model_inputs(
    const ov::Model& model, const std::vector<engine::InputSpec>& given, const std::string& path);

}  // namespace batchscope::openvino_plugin
