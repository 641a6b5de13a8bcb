#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"

namespace batchscope::engine {

// A plugin is a shared library `libbatchscope_<name>.so` that exports, with C linkage,
//   int batchscope_plugin_abi();                                    returns kPluginAbi of the
//   headers it was built with batchscope::engine::Engine* batchscope_create_engine(); ownership
//   goes to the caller
// It is loaded into the same process, never unloaded, and built with the same compiler as the core.
inline constexpr int kPluginAbi = 10;

// Folders searched, in order: $BATCHSCOPE_PLUGIN_PATH (colon separated), ../lib/batchscope/plugins
// beside the program,
// ../lib beside the program (build tree).
std::vector<std::filesystem::path> plugin_folders();

// The engine of the plugin of that name; "synthetic" is none. Errors: failed, saying where was
// looked and how to get the plugin; usage (a name that no engine has).
base::Result<std::unique_ptr<Engine>> load_engine(std::string_view name);

}  // namespace batchscope::engine
