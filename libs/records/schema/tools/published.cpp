#include "published.hpp"

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "axes/axis_row.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::schema {
namespace {

using Json = nlohmann::ordered_json;

Json object_schema(const Table& table, std::string_view type);

constexpr bool is_integer(FieldKind kind) {
  return kind == FieldKind::int32 || kind == FieldKind::int64 || kind == FieldKind::int64s ||
         kind == FieldKind::int64_by_name;
}

Json bound(FieldKind kind, double value) {
  if (is_integer(kind) || value == static_cast<double>(static_cast<int64_t>(value))) {
    return static_cast<int64_t>(value);
  }
  return value;
}

Json of_type(const char* type) {
  return {{"type", type}};
}

// Of a value in an array or an object as of a field.
Json with_least(Json schema, FieldKind kind, const std::optional<double>& least) {
  if (least) schema["minimum"] = bound(kind, *least);
  return schema;
}

Json array_schema(const Json& items) {
  return {{"type", "array"}, {"items", items}};
}

Json by_name_schema(const Json& values) {
  return {{"type", "object"}, {"additionalProperties", values}};
}

// Later versions may add words where the table does not say otherwise.
Json word_schema(const Field& field) {
  if (field.words->is_open && !field.rules.no_other_words) return of_type("string");
  Json words = Json::array();
  for (int i = 0; field.words->name(i) != "?"; ++i) words.push_back(field.words->name(i));
  return {{"enum", words}};
}

Json number_schema(const Field& field) {
  const FieldRules& rules = field.rules;
  Json schema = with_least(of_type(is_integer(field.kind) ? "integer" : "number"), field.kind,
                           rules.stated_least ? rules.stated_least : rules.least);
  if (rules.most) schema["maximum"] = bound(field.kind, *rules.most);
  return schema;
}

Json unsigned_schema() {
  return {{"type", "integer"}, {"minimum", 0}, {"maximum", std::numeric_limits<uint64_t>::max()}};
}

Json kind_schema(const Field& field) {
  switch (field.kind) {
    case FieldKind::boolean:
      return of_type("boolean");
    case FieldKind::int32:
    case FieldKind::int64:
    case FieldKind::number:
      return number_schema(field);
    case FieldKind::uint64:
      return unsigned_schema();
    case FieldKind::text:
      return of_type("string");
    case FieldKind::word:
      return word_schema(field);
    case FieldKind::int64s:
      return array_schema(with_least(of_type("integer"), field.kind, field.rules.each_least));
    case FieldKind::numbers:
      return array_schema(with_least(of_type("number"), field.kind, field.rules.each_least));
    case FieldKind::texts:
      return array_schema(of_type("string"));
    case FieldKind::text_by_name:
      return by_name_schema(of_type("string"));
    case FieldKind::int64_by_name:
      return by_name_schema(with_least(of_type("integer"), field.kind, field.rules.each_least));
    case FieldKind::object:
      return object_schema(field.table(), "");
    case FieldKind::objects:
      return array_schema(object_schema(field.table(), ""));
  }
  return nullptr;
}

Json field_schema(const Field& field) {
  const FieldRules& rules = field.rules;
  if (rules.only_value) return {{"const", *rules.only_value}};
  Json schema = kind_schema(field);
  if (rules.fewest) schema["minItems"] = *rules.fewest;
  if (rules.most_values) schema["maxItems"] = *rules.most_values;
  if (!rules.description.empty()) schema["description"] = rules.description;
  return schema;
}

// `type` is that of a line; empty for an object within one.
Json object_schema(const Table& table, std::string_view type) {
  Json schema = of_type("object");
  if (!table.description.empty()) schema["description"] = table.description;
  Json properties = Json::object(), required = Json::array();
  if (!type.empty()) {
    properties["type"] = {{"const", type}};
    required.push_back("type");
  }
  for (const Field& field : table.fields) {
    properties[std::string(field.name)] = field_schema(field);
    if (field.rules.required || field.rules.always) required.push_back(field.name);
  }
  schema["properties"] = std::move(properties);
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

constexpr const char* kDraft = "https://json-schema.org/draft/2020-12/schema";
constexpr const char* kConfiguration = "configuration.schema.json";

bool is_shape(const AxisRow& row) {
  return row.axis.id == AxisId::batch_size || row.axis.id == AxisId::seq_len;
}

// What the axes are told by: those of the shape, or the others.
Json axes_schema(bool of_shape) {
  Json properties = Json::object();
  for (const AxisRow& row : axis_rows()) {
    if (is_shape(row) != of_shape) continue;
    for (const Field& field : row.fields) properties[std::string(field.name)] = field_schema(field);
  }
  return properties;
}

// The line of a configuration says by reference what every document says of one.
Json config_line_schema(Json schema) {
  Json line;
  for (auto& [name, value] : schema.items()) {
    if (name == "properties") line["$ref"] = kConfiguration;
    line[name] = std::move(value);
  }
  for (const AxisRow& row : axis_rows()) {
    for (const Field& field : row.fields) line["properties"].erase(std::string(field.name));
  }
  return line;
}

}  // namespace

std::string configuration_json_schema() {
  const Json schema = {
      {"$schema", kDraft},
      {"$id", kConfiguration},
      {"title", "A configuration as it stands in other documents, schema version " +
                    std::to_string(kSchemaVersion)},
      {"description",
       "What is measured, and how it is run: a field for each axis of a sweep. The schemas beside "
       "this one refer to it, and say which fields are always there. An absent field means: not "
       "known, or at its default."},
      {"type", "object"},
      {"$ref", "#/$defs/setting"},
      {"properties", axes_schema(/*of_shape=*/true)},
      {"$defs",
       {{"setting",
         {{"description", "all but the size of the work"},
          {"type", "object"},
          {"properties", axes_schema(/*of_shape=*/false)}}}}}};
  return schema.dump(2) + "\n";
}

std::string run_file_json_schema() {
  const std::array<std::pair<const char*, const Table&>, 9> kLines = {
      {{"header", table_of<Header>()},
       {"config", table_of<ConfigRecord>()},
       {"visit", table_of<Visit>()},
       {"event", table_of<Event>()},
       {"outputs", table_of<OutputDifference>()},
       {"probe", table_of<Probe>()},
       {"node", table_of<NodeRecord>()},
       {"place", table_of<Placement>()},
       {"end", table_of<End>()}}};
  Json any_of = Json::array(), lines = Json::object();
  for (const auto& [type, table] : kLines) {
    any_of.push_back({{"$ref", std::string("#/$defs/") + type}});
    lines[type] = object_schema(table, type);
    if (&table == &table_of<ConfigRecord>()) lines[type] = config_line_schema(lines[type]);
  }
  const Json schema = {
      {"$schema", kDraft},
      {"$id", "run-file.schema.json"},
      {"title", "One line of a run file, schema version " + std::to_string(kSchemaVersion)},
      {"description",
       "A run file is JSON lines: a header first, then configurations, visits and events as they "
       "happen, and an end. Each line is one of these objects. Readers ignore fields and types "
       "they do not know, and leave out a last line without a newline. An absent field means: not "
       "known, or at its default."},
      {"type", "object"},
      {"required", {"type"}},
      {"oneOf", any_of},
      {"$defs", lines}};
  return schema.dump(2) + "\n";
}

}  // namespace batchscope::schema
