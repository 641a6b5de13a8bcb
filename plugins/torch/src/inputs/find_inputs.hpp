#pragma once

#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"

namespace batchscope::torch_plugin {

// What a model file is to be fed, from what it says of itself and from calls of it with made-up
// inputs: sizes that its weights want, which dimensions are the batch size and the length, how
// large integers may be. The calls run the model, which may do anything. Errors: input
// (unreadable), usage (the file does not say enough: with what is known, what is missing, and what
// to type).
base::Result<std::vector<engine::InputSpec>> find_inputs(const std::string& path);

}  // namespace batchscope::torch_plugin
