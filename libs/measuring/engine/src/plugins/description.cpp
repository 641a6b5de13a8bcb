#include "batchscope/engine/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/file.hpp"
#include "own_descriptions.hpp"
#include "plugin_library.hpp"

namespace batchscope::engine {
namespace {

using base::Result;
namespace fs = std::filesystem;

// Whoever builds the program has these files, and a test reads them: what cannot be read is a bug.
std::vector<EngineDescription> read_own() {
  return base::mapped(own_descriptions(), [](std::string_view text) {
    return parse_description(text, "engine.json").value();
  });
}

// "a, b or c"
std::string alternatives(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  return fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

bool takes(const EngineDescription& engine, const std::string& ending) {
  return base::contains(engine.endings, ending);
}

}  // namespace

Result<std::optional<EngineDescription>> description_beside(const fs::path& library) {
  const fs::path path = fs::path(library).replace_extension(".json");
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::optional<EngineDescription>{};
  const auto text = base::read_file(path);
  if (!text) return text.error();
  auto described = parse_description(*text, path.string());
  if (!described) return std::move(described).error();
  return std::optional(*std::move(described));
}

const std::vector<EngineDescription>& own_engines() {
  static const std::vector<EngineDescription> engines = read_own();
  return engines;
}

std::optional<EngineDescription> find_description(std::string_view engine,
                                                  const InstallPaths& places) {
  for (const EngineDescription& own : own_engines()) {
    if (own.name == engine) return own;
  }
  for (const fs::path& folder : places.plugins) {
    std::error_code ignored;
    const auto library = folder / fmt::format("libbatchscope_{}.so", engine);
    if (!fs::exists(library, ignored)) continue;
    return description_beside(library).value_or(std::nullopt);
  }
  return std::nullopt;
}

EngineDescription describe(const Engine& engine, const InstallPaths& places) {
  EngineDescription unknown;
  unknown.name = engine.name();
  return find_description(engine.name(), places).value_or(std::move(unknown));
}

const EngineDescription& engine_for(const std::filesystem::path& model) {
  const std::string ending = model.extension().string();
  const auto& engines = own_engines();
  const auto found = std::find_if(engines.begin(), engines.end(), [&](const auto& each) {
    return !ending.empty() && takes(each, ending);
  });
  return found == engines.end() ? engines.front() : *found;
}

std::string known_endings() {
  std::vector<std::string> endings;
  for (const EngineDescription& engine : own_engines()) {
    for (const std::string& ending : engine.endings) base::add_if_new(endings, ending);
  }
  return alternatives(endings);
}

std::string engines_that(const std::function<bool(const EngineDescription&)>& can) {
  const auto name_of = [](const EngineDescription& each) { return each.name; };
  return alternatives(base::mapped(base::kept(own_engines(), can), name_of));
}

}  // namespace batchscope::engine
