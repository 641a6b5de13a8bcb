#include "batchscope/engine/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <system_error>

#include "batchscope/engine/description.hpp"
#include "plugin_library.hpp"

namespace batchscope::engine {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
namespace fs = std::filesystem;

std::string names_of_engines() {
  return engines_that([](const EngineDescription&) { return true; });
}

bool is_plain_name(std::string_view name) {
  return !name.empty() &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string_view::npos;
}

Error no_plugin(const fs::path& path) {
  return {ErrorKind::failed, "not a batchscope plugin", path.string(),
          "remove it from BATCHSCOPE_PLUGIN_PATH"};
}

Result<PluginLibrary> open_library(const fs::path& path) {
  // Never closed: frameworks leave threads and registrations behind.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return Error{ErrorKind::failed, fmt::format("cannot load the plugin: {}", dlerror()),
                 path.string(),
                 "a library it was built with is missing or has changed: rebuild it"};
  }
  const PluginLibrary opened{library, path};
  auto* abi = opened.find<int()>("batchscope_plugin_abi");
  if (abi == nullptr) return no_plugin(path);
  if (abi() != kPluginAbi) {
    return Error{
        ErrorKind::failed,
        fmt::format("the plugin has interface version {}, this program {}", abi(), kPluginAbi),
        path.string(), "rebuild the plugin together with the program"};
  }
  if (const auto described = description_beside(path); !described) return described.error();
  return opened;
}

}  // namespace

void* PluginLibrary::symbol(const char* name) const {
  return dlsym(handle, name);
}

Result<PluginLibrary> open_plugin(std::string_view name, const InstallPaths& places) {
  if (!is_plain_name(name)) {
    return Error{ErrorKind::usage, fmt::format("'{}' is not the name of an engine", name),
                 "--engine", "use " + names_of_engines()};
  }
  std::string looked_in;
  for (const fs::path& folder : places.plugins) {
    const fs::path path = folder / fmt::format("libbatchscope_{}.so", name);
    std::error_code ignored;
    if (fs::exists(path, ignored)) return open_library(path);
    looked_in += (looked_in.empty() ? "" : ", ") + folder.string();
  }
  // A name that nobody knows is a slip; a known engine may be missing.
  const auto described = find_description(name, places);
  const bool known = described && !described->how_to_get.empty();
  return Error{known ? ErrorKind::failed : ErrorKind::usage,
               fmt::format("engine '{}' is not installed (searched {})", name, looked_in), "",
               known ? described->how_to_get
                     : "set BATCHSCOPE_PLUGIN_PATH to its folder, or use " + names_of_engines()};
}

Result<std::unique_ptr<Engine>> load_plugin(std::string_view name, const InstallPaths& places) {
  const auto library = open_plugin(name, places);
  if (!library) return library.error();
  auto* create = library->find<Engine*()>("batchscope_create_engine");
  if (create == nullptr) return no_plugin(library->path);
  std::unique_ptr<Engine> engine(create());
  if (!engine) {
    return Error{ErrorKind::failed, "the plugin created no engine", library->path.string(),
                 "see the messages above"};
  }
  return engine;
}

}  // namespace batchscope::engine
