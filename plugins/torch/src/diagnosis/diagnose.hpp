#pragma once

#include <c10/core/Device.h>

#include <filesystem>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/schema/diagnosis.hpp"

namespace batchscope::torch_plugin {

// How many iterations take about a second when the first took that long: 3 to 20.
int64_t diagnostic_iterations(int64_t first_ns);

// Runs iterations of `model` under LibTorch's tracer, and others under oneDNN's log, and fills in
// what they say: the traced and the logged part of the diagnosis, diagnostic_iterations each. Both
// are switched on after the visit's warm-up, so they see the steady state. `trace_file` as of
// engine::Diagnoses. Errors: as Model::run; tracer and log are off again then too.
base::Result<void> diagnose(engine::Model& model, engine::Batch& batch, const c10::Device& device,
                            const std::filesystem::path& trace_file, schema::Diagnosis& diagnosis);

}  // namespace batchscope::torch_plugin
