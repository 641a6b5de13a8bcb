#include "batchscope/capacity/oom_limits.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "batchscope/base/file.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/user_folder.hpp"
#include "batchscope/schema/json.hpp"

namespace batchscope::capacity {
namespace {

using base::Result;
using Json = nlohmann::ordered_json;

const schema::ModelInfo* find_model(const schema::Header& header, const schema::RunConfig& config) {
  const auto found =
      std::find_if(header.models.begin(), header.models.end(), [&](const schema::ModelInfo& model) {
        return model.name == config.model &&
               (model.engine.empty() || model.engine == config.engine);
      });
  return found == header.models.end() ? nullptr : &*found;
}

std::string line_of(const Json& json) {
  return schema::dump(json, -1);
}

}  // namespace

std::string ceiling_key(const schema::Header& header, const schema::RunConfig& config) {
  // Gradients take as much memory however many batches are added up in them.
  schema::RunConfig setting = schema::without_batch_size(config);
  setting.accumulation = 1;
  std::vector<std::string> parts{config.engine, schema::describe(setting)};
  if (const auto* const model = find_model(header, config)) parts.push_back(model->hash);
  for (const auto& [name, version] : header.versions) parts.push_back(name + " " + version);
  parts.push_back(header.machine.host);
  parts.insert(parts.end(), header.machine.gpus.begin(), header.machine.gpus.end());
  return base::join(parts, " | ");
}

std::filesystem::path default_ceilings_file() {
  const std::filesystem::path state = base::user_folder("XDG_STATE_HOME", ".local/state");
  return state.empty() ? state : state / "batchscope" / "ceilings.jsonl";
}

Result<OomLimits> OomLimits::open(std::filesystem::path path) {
  OomLimits ceilings(std::move(path));
  std::error_code ignored;
  if (ceilings.path_.empty() || !std::filesystem::exists(ceilings.path_, ignored)) return ceilings;
  const auto text = base::read_file(ceilings.path_);
  if (!text) {
    base::Error error = text.error();
    error.fix = "fix it, or name another with --ceilings";
    return error;
  }
  for (const std::string_view line : base::split(*text, '\n')) ceilings.read_line(line);
  return ceilings;
}

void OomLimits::read_line(std::string_view line) {
  const auto json = Json::parse(line, nullptr, false);
  const auto is = [&](const char* name, auto check) {
    return json.contains(name) && (json[name].*check)();
  };
  if (!json.is_object() || !is("key", &Json::is_string)) return;
  const std::string key = json["key"];
  if (json.value("forgotten", Json(false)) == Json(true)) {
    std::erase_if(known_, [&](const Ceiling& each) { return each.key == key; });
    return;
  }
  if (!is("batch_size", &Json::is_number_integer) || !is("limit_bytes", &Json::is_number_integer) ||
      !is("when", &Json::is_string)) {
    return;
  }
  Ceiling ceiling{key, json["batch_size"], json["limit_bytes"], json["when"]};
  if (ceiling.batch_size >= 1) known_.push_back(std::move(ceiling));
}

std::optional<Ceiling> OomLimits::find(const std::string& key, int64_t limit_bytes) const {
  std::optional<Ceiling> smallest;
  for (const Ceiling& each : known_) {
    if (each.key != key || each.limit_bytes < limit_bytes) continue;
    if (!smallest || each.batch_size < smallest->batch_size) smallest = each;
  }
  return smallest;
}

Result<void> OomLimits::append(std::string line) {
  if (path_.empty()) return {};
  std::error_code ignored;
  if (std::filesystem::exists(path_, ignored)) {
    const auto text = base::read_file(path_);
    // What a power cut left of a line must not swallow the next one.
    if (text && !text->empty() && text->back() != '\n') line.insert(0, "\n");
  }
  auto file = base::AppendFile::open(path_);
  if (!file) return file.error();
  return file->append_line(line);
}

Result<void> OomLimits::add(const Ceiling& ceiling) {
  known_.push_back(ceiling);
  return append(line_of({{"key", ceiling.key},
                         {"batch_size", ceiling.batch_size},
                         {"limit_bytes", ceiling.limit_bytes},
                         {"when", ceiling.when}}));
}

Result<void> OomLimits::forget(const std::string& key) {
  const auto is_meant = [&](const Ceiling& each) { return each.key == key; };
  if (std::erase_if(known_, is_meant) == 0) return {};
  return append(line_of({{"key", key}, {"forgotten", true}}));
}

}  // namespace batchscope::capacity
