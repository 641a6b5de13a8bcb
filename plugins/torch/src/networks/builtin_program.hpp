#pragma once

#include <c10/core/Device.h>

#include "batchscope/base/result.hpp"
#include "catalogue.hpp"
#include "programs/program.hpp"

namespace batchscope::torch_plugin {

// Makes a built-in model: inference in the given precision, training with fp32 parameters (lower
// precisions are autocast's).
LoadedProgram make_builtin(const Builtin& builtin, uint64_t seed,
                           const engine::ExecutionSpec& execution, c10::Device device);

}  // namespace batchscope::torch_plugin
