#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/engine/places.hpp"

namespace batchscope::cli {

// The path of this very program, which is started anew as a worker.
std::string own_program();

// Where this program looks. Plugins: $BATCHSCOPE_PLUGIN_PATH (colon separated), then beside the
// program. Models: $BATCHSCOPE_MODELS alone where it is set; else models/ here, then beside the
// program (engine::places_beside).
engine::Places own_places();

// pipeline::load_engine from there.
base::Result<std::unique_ptr<engine::Engine>> load_engine(std::string_view name);

}  // namespace batchscope::cli
