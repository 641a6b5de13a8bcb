#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/description.hpp"
#include "batchscope/engine/install_paths.hpp"

namespace batchscope::engine {

// A plugin's shared library that speaks this program's version of the interface; never unloaded.
struct PluginLibrary {
  void* handle = nullptr;
  std::filesystem::path path;

  // An entry point by its C name; null where the plugin has none.
  template <class Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }
  void* symbol(const char* name) const;
};

// Errors: failed (not installed, cannot be loaded, another version), usage (no plugin's name).
base::Result<PluginLibrary> open_plugin(std::string_view name, const InstallPaths& places);

// What a plugin's library is described as in the file beside it; nothing where there is none.
// Errors: input (it cannot be read).
base::Result<std::optional<EngineDescription>> description_beside(
    const std::filesystem::path& library);

}  // namespace batchscope::engine
