#pragma once

#include <c10/core/Device.h>

#include <string>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "draft.hpp"
#include "program.hpp"
#include "torchscript_program.hpp"

namespace batchscope::torch_plugin {

// Loads an AOTInductor package. Device, precision and (unless it was compiled with dynamic threads)
// the number of threads are compiled in: asking for others is refused, for they would not be taken.
// Inputs are checked against what was compiled when a batch is prepared.
// Errors: input (not such a package), usage (inputs that do not fit), failed (device, precision,
// threads, training).
base::Result<LoadedProgram> load_aot(const engine::ModelSpec& spec,
                                     const engine::ExecutionSpec& execution, c10::Device device);

// The same on its own device, for trial calls, with the sizes and types that it was compiled for.
// Inputs that are known by their place only are numbered. Errors: input; failed (its device is not
// there); usage (its sources do not say what they check).
base::Result<TriedProgram> try_aot(const std::string& path);

// Parameters: elements of all floating-point constants, buffers included; a package does not tell
// them apart.
base::Result<FileFacts> inspect_aot(const std::string& path);

}  // namespace batchscope::torch_plugin
