#include "batchscope/engine/model_store.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "batchscope/base/file.hpp"
#include "batchscope/engine/description.hpp"

namespace batchscope::engine {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::string_view kExported = "all-minilm-l6-v2";
constexpr std::string_view kMakeIt = "./dev models makes it (a few minutes, once)";

// A name, not a path: it becomes one folder's.
bool is_folder_name(std::string_view name) {
  return !name.empty() && name.front() != '.' && name.find('/') == std::string_view::npos;
}

StoredModel stored_model(const json& facts) {
  StoredModel model;
  model.inputs = facts.at("inputs").get<std::vector<std::string>>();
  model.summary = facts.value("summary", "");
  model.parameters = facts.value("parameters", int64_t{0});
  model.vocabulary = facts.at("vocabulary").get<int64_t>();
  model.pad_id = facts.at("pad_id").get<int64_t>();
  model.hidden_size = facts.at("hidden_size").get<int64_t>();
  model.max_positions = facts.at("max_positions").get<int64_t>();
  model.max_length = facts.at("max_length").get<int64_t>();
  model.pooling = schema::OpenEnum<schema::Pooling>(facts.at("pooling").get<std::string>());
  model.normalize = facts.at("normalize").get<bool>();
  return model;
}

Result<StoredModel> read_folder(const fs::path& folder) {
  const fs::path path = folder / "model.json";
  auto text = base::read_file(path);
  if (!text) return std::move(text).error();
  try {
    StoredModel model = stored_model(json::parse(*text));
    model.name = folder.filename().string();
    model.folder = folder;
    return model;
  } catch (const json::exception& e) {
    return Error{ErrorKind::input, fmt::format("does not describe a model: {}", e.what()),
                 path.string(), "remove the folder and make the model again: ./dev models"};
  }
}

bool holds_a_model(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "model.json", ignored);
}

}  // namespace

Result<std::optional<StoredModel>> find_stored_model(std::string_view name,
                                                     const InstallPaths& places) {
  if (!is_folder_name(name)) return std::optional<StoredModel>{};
  for (const fs::path& folder : places.models) {
    if (!holds_a_model(folder / name)) continue;
    auto model = read_folder(folder / name);
    if (!model) return std::move(model).error();
    return std::optional(*std::move(model));
  }
  return std::optional<StoredModel>{};
}

std::vector<StoredModel> stored_models(const InstallPaths& places) {
  std::map<std::string, StoredModel> found;
  for (const fs::path& folder : places.models) {
    std::error_code unreadable;
    for (fs::directory_iterator entry(folder, unreadable), end; !unreadable && entry != end;
         entry.increment(unreadable)) {
      if (!holds_a_model(entry->path())) continue;
      auto model = read_folder(entry->path());
      if (!model) continue;
      const std::string name = model->name;
      found.try_emplace(name, *std::move(model));
    }
  }
  std::vector<StoredModel> models;
  for (auto& [name, model] : found) models.push_back(std::move(model));
  return models;
}

Result<fs::path> file_for(const StoredModel& model, std::string_view engine,
                          const InstallPaths& places) {
  const auto described = find_description(engine, places);
  const auto names = described ? described->stored_files : std::vector<std::string>{};
  for (const std::string& name : names) {
    std::error_code ignored;
    if (fs::is_regular_file(model.folder / name, ignored)) return model.folder / name;
  }
  const std::string fix = how_to_make(model.name);
  return Error{
      ErrorKind::usage, fmt::format("model '{}' has no file for engine {}", model.name, engine),
      model.folder.string(),
      fix.empty() || names.empty() ? fmt::format("put one there: {}", fmt::join(names, " or "))
                                   : fix};
}

std::string how_to_make(std::string_view name) {
  return std::string(name == kExported ? kMakeIt : "");
}

}  // namespace batchscope::engine
