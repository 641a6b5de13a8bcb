#include "engine_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace batchscope::study {

std::vector<NamedModel> named_models(std::span<const std::string> models,
                                     std::span<const std::string> engines) {
  std::vector<NamedModel> named;
  for (const std::string& each : models) {
    const std::string engine = each.substr(0, each.find('='));
    const bool known = engine.size() < each.size() &&
                       std::find(engines.begin(), engines.end(), engine) != engines.end();
    if (!known) {
      named.push_back({each, {}});
      continue;
    }
    const bool same =
        !named.empty() && named.back().name.empty() && named.back().files.count(engine) == 0;
    if (!same) named.emplace_back();
    named.back().files[engine] = each.substr(engine.size() + 1);
  }
  return named;
}

base::Result<std::vector<std::string>> names_for(std::span<const NamedModel> models,
                                                 const std::string& engine) {
  std::vector<std::string> names;
  for (const NamedModel& model : models) {
    const auto file = model.files.find(engine);
    if (model.name.empty() && file == model.files.end()) {
      return base::Error{
          base::ErrorKind::usage,
          fmt::format("no file for engine {} next to {}", engine, model.files.begin()->second),
          "--model", fmt::format("add {}=FILE after it, or remove the engine", engine)};
    }
    names.push_back(model.name.empty() ? file->second : model.name);
  }
  return names;
}

std::string common_name(const NamedModel& model, std::span<const std::string> engines) {
  for (const std::string& engine : engines) {
    const auto file = model.files.find(engine);
    if (file != model.files.end()) return std::filesystem::path(file->second).stem().string();
  }
  return model.name;
}

}  // namespace batchscope::study
