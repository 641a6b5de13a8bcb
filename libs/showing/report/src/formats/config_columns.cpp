#include "config_columns.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "batchscope/schema/axes.hpp"
#include "batchscope/schema/json.hpp"

namespace batchscope::report {
namespace {

using OrderedJson = nlohmann::ordered_json;
using Cells = std::vector<std::pair<std::string, std::string>>;  // by name, in the order of files

std::string cell_of(const OrderedJson& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  return value.dump();
}

void add_cells(const OrderedJson& object, const std::string& before, Cells& cells) {
  for (const auto& [name, value] : object.items()) {
    if (value.is_object()) {
      add_cells(value, before + name + "_", cells);
    } else {
      cells.emplace_back(before + name, cell_of(value));
    }
  }
}

// The variables of an environment are one cell, as they are one value.
Cells cells_of(const schema::RunConfig& config) {
  const schema::Axis& environment = schema::axis(schema::AxisId::environment);
  schema::RunConfig rest = config;
  environment.forget(rest);
  Cells cells;
  add_cells(schema::config_json<OrderedJson>(rest), "", cells);
  const std::string variables = environment.described(config);
  if (!variables.empty()) cells.emplace_back(environment.name, variables);
  return cells;
}

// What tells configurations apart has a value at its default too.
const schema::AxisPart* part_named(std::string_view name) {
  for (const schema::Axis& axis : schema::axes()) {
    for (const schema::AxisPart& part : axis.parts) {
      if (part.name == name) return &part;
    }
  }
  return nullptr;
}

}  // namespace

ConfigColumns::ConfigColumns(std::span<const schema::RunConfig> configs,
                             const std::set<std::string_view>& reported) {
  for (const schema::RunConfig& config : configs) {
    for (const auto& [name, cell] : cells_of(config)) {
      const bool known = std::find(names_.begin(), names_.end(), name) != names_.end();
      if (!known && !reported.contains(name)) names_.push_back(name);
    }
  }
}

std::vector<std::string> ConfigColumns::cells(const schema::RunConfig& config) const {
  const Cells set = cells_of(config);
  std::vector<std::string> cells;
  for (const std::string& name : names_) {
    const auto found =
        std::find_if(set.begin(), set.end(), [&](const auto& each) { return each.first == name; });
    const schema::AxisPart* const part = part_named(name);
    cells.push_back(found != set.end() ? found->second
                    : part != nullptr  ? part->value(config)
                                       : "");
  }
  return cells;
}

}  // namespace batchscope::report
