#pragma once

#include <string>

#include "batchscope/api/program.hpp"
#include "batchscope/base/log.hpp"
#include "batchscope/commandline/interrupt.hpp"
#include "batchscope/engine/install_paths.hpp"

namespace batchscope::cli {

using commandline::Interrupt;

// Where this program looks. Plugins: $BATCHSCOPE_PLUGIN_PATH (colon separated), then beside the
// program. Models: $BATCHSCOPE_MODELS alone where it is set; else models/ here, then beside the
// program (engine::places_beside).
engine::InstallPaths own_places();

// What this program calls the library with: itself as the worker, and its places.
api::Program this_program();
// The same, which stops by the interruption and watches for it once it measures. `interrupt`
// outlives what it is used for.
api::Program this_program(Interrupt& interrupt);
// The same with another interpreter for models in Python; empty: with its own.
api::Program with_interpreter(api::Program program, const std::string& path);
// Says on the log what the program tells while a run is set up.
api::Program telling(api::Program program, const base::Log& log);

}  // namespace batchscope::cli
