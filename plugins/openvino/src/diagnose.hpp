#pragma once

#include <openvino/openvino.hpp>

#include "batchscope/engine/engine.hpp"
#include "openvino_model.hpp"

namespace batchscope::openvino_plugin {

// Compiles the model once more, with per-layer counters, runs it for about a second and fills in
// what they say, as the traced and the logged part of the diagnosis. Throws what OpenVINO throws.
// Errors: those of read_model and compile.
base::Result<void> diagnose(ov::Core& core, const engine::ModelSpec& spec,
                            const engine::ExecutionSpec& execution, BatchCycle& batch,
                            schema::Diagnosis& diagnosis);

}  // namespace batchscope::openvino_plugin
