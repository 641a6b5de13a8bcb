#pragma once

#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/measure/executor.hpp"
#include "batchscope/schema/outputs.hpp"

namespace batchscope::measure {

// One output of a model, with which of its vectors along the last axis are of real tokens.
struct ModelOutput {
  engine::Tensor values;
  std::vector<float> mask;  // an element a token; empty: all vectors count
};

// The first output on the seeded input that every engine makes for the request's shape. Errors:
// those of Engine::load, make_inputs and Model::infer; failed (no output).
base::Result<ModelOutput> outputs_of(engine::Engine& engine, const VisitRequest& request,
                                     const engine::ExecutionSpec& execution);

// Without the indices of the configurations. Errors: failed (other shapes; nothing to compare;
// values that are not finite).
base::Result<schema::OutputDifference> difference_of(const ModelOutput& output,
                                                     const ModelOutput& against);

}  // namespace batchscope::measure
