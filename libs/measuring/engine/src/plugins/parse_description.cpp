#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/engine/description.hpp"

namespace batchscope::engine {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using nlohmann::json;

constexpr std::array<std::pair<std::string_view, Ability>, 7> kAbilities{
    {{"takes-tensors", Ability::takes_tensors},
     {"holds-back", Ability::holds_back},
     {"tells-losses", Ability::tells_losses},
     {"shows-gradients", Ability::shows_gradients},
     {"imagines-usage", Ability::imagines_usage},
     {"tells-interpreter", Ability::tells_interpreter},
     {"diagnoses", Ability::diagnoses}}};

constexpr std::array<std::string_view, 14> kKeys{"name",
                                                 "endings",
                                                 "stored_files",
                                                 "device_kinds",
                                                 "how_to_get",
                                                 "abilities",
                                                 "trains",
                                                 "loads_files",
                                                 "tokenizes",
                                                 "virtual_time",
                                                 "triton",
                                                 "environment_when_watched",
                                                 "calls_for_inputs",
                                                 "interpreted"};

Error wrong(const std::string& what, const std::string& where) {
  return {ErrorKind::input, fmt::format("does not describe an engine: {}", what), where,
          "write it like plugins/openvino/engine.json in the sources"};
}

// A key that nobody reads is a slip.
std::string unknown_key(const json& fields) {
  for (const auto& [key, value] : fields.items()) {
    if (!base::contains(kKeys, key)) return key;
  }
  return "";
}

TritonBackend read_triton(const json& fields) {
  return {.name = fields.at("backend").get<std::string>(),
          .threads_parameter = fields.value("threads_parameter", ""),
          .tells_inputs_and_outputs = fields.value("tells_inputs_and_outputs", true)};
}

EngineDescription read(const json& fields) {
  using Strings = std::vector<std::string>;
  EngineDescription engine;
  engine.name = fields.at("name").get<std::string>();
  engine.endings = fields.value("endings", Strings{});
  engine.stored_files = fields.value("stored_files", Strings{});
  engine.device_kinds = fields.value("device_kinds", Strings{});
  engine.how_to_get = fields.value("how_to_get", "");
  engine.trains = fields.value("trains", engine.trains);
  engine.loads_files = fields.value("loads_files", engine.loads_files);
  engine.calls_for_inputs = fields.value("calls_for_inputs", engine.calls_for_inputs);
  engine.tokenizes = fields.value("tokenizes", engine.tokenizes);
  engine.interpreted = fields.value("interpreted", engine.interpreted);
  engine.virtual_time = fields.value("virtual_time", engine.virtual_time);
  engine.environment_when_watched =
      fields.value("environment_when_watched", std::map<std::string, std::string>{});
  if (fields.contains("triton")) engine.triton = read_triton(fields.at("triton"));
  return engine;
}

Result<std::vector<Ability>> read_abilities(const json& fields, const std::string& where) {
  std::vector<Ability> abilities;
  for (const auto& word : fields.value("abilities", std::vector<std::string>{})) {
    const auto* const found = std::find_if(kAbilities.begin(), kAbilities.end(),
                                           [&](const auto& each) { return each.first == word; });
    if (found == kAbilities.end()) return wrong(fmt::format("'{}' is not an ability", word), where);
    abilities.push_back(found->second);
  }
  return abilities;
}

}  // namespace

Result<EngineDescription> parse_description(std::string_view text, const std::string& where) {
  try {
    const json fields = json::parse(text);
    if (const auto key = unknown_key(fields); !key.empty()) {
      return wrong(fmt::format("it has a key '{}'", key), where);
    }
    EngineDescription engine = read(fields);
    auto abilities = read_abilities(fields, where);
    if (!abilities) return std::move(abilities).error();
    engine.abilities = *std::move(abilities);
    return engine;
  } catch (const json::exception& e) {
    return wrong(e.what(), where);
  }
}

}  // namespace batchscope::engine
