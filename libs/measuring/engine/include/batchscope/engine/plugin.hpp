#pragma once

#include <memory>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/engine/install_paths.hpp"

namespace batchscope::engine {

// A plugin is a shared library `libbatchscope_<name>.so` that exports, with C linkage,
//   int batchscope_plugin_abi();                                    returns kPluginAbi of the
//   headers it was built with batchscope::engine::Engine* batchscope_create_engine(); ownership
//   goes to the caller
// It is loaded into the same process, never unloaded, and built with the same compiler as the core.
inline constexpr int kPluginAbi = 13;

// The engine of the plugin of that name, from the first of places.plugins that has it; "synthetic"
// is none. Errors: failed, saying where was looked and how to get the plugin; usage (a name that no
// engine has).
base::Result<std::unique_ptr<Engine>> load_plugin(std::string_view name,
                                                  const InstallPaths& places);

}  // namespace batchscope::engine
