#pragma once

#include <functional>
#include <memory>
#include <string>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/measure/inspect.hpp"

namespace batchscope::study {

// Opens a model file somewhere and tells what the engine of this name says of it, as
// measure::inspect_in_worker does.
using Inspect = std::function<base::Result<measure::InspectedModel>(
    const std::string& engine, const engine::ModelSpec& model)>;

// The engine, but for what it says of model files before any is loaded (Engine::inspect,
// Engine::inputs_of): that is asked of `inspect`, once a file and the inputs stated for it.
std::unique_ptr<engine::Engine> inspected_by(Inspect inspect,
                                             std::unique_ptr<engine::Engine> engine);

}  // namespace batchscope::study
