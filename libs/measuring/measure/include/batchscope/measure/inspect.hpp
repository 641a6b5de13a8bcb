#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/measure/process_executor.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::measure {

// What an engine says of a model file.
struct InspectedModel {
  schema::ModelInfo facts;
  std::vector<engine::InputSpec> inputs;  // what it is to be fed
};

// Asks an engine about a model file in a worker process under the limits of visits, since whoever
// opens such a file may hang, crash or run out of memory. Errors: those of Engine::inspect, then of
// Engine::inputs_of, as the engine says them; failed (the worker died, hung, reached its limit or
// cannot be started), interrupted.
base::Result<InspectedModel> inspect_in_worker(const ProcessOptions& options,
                                               const std::string& engine,
                                               const engine::ModelSpec& model,
                                               const std::stop_token& stop);

}  // namespace batchscope::measure
