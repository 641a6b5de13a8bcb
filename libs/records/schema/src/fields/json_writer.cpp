#include "json_writer.hpp"

#include "batchscope/schema/json.hpp"
#include "batchscope/schema/json_line.hpp"

namespace batchscope::schema {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}

Json objects_json(const Field& field, const void* vector) {
  Json array = Json::array();
  for (std::size_t i = 0; i < field.elements->size(vector); ++i) {
    put_fields(field.table(), field.elements->at(vector, i), array.emplace_back(Json::object()));
  }
  return array;
}

Json object_json(const Field& field, const void* value) {
  Json object = Json::object();
  put_fields(field.table(), value, object);
  return object;
}

Json value_json(const Field& field, const void* value) {
  switch (field.kind) {
    case FieldKind::boolean:
      return as<bool>(value);
    case FieldKind::int32:
      return as<int32_t>(value);
    case FieldKind::int64:
      return as<int64_t>(value);
    case FieldKind::uint64:
      return as<uint64_t>(value);
    case FieldKind::number:
      return as<double>(value);
    case FieldKind::text:
      return as<std::string>(value);
    case FieldKind::word:
      return field.words->text(value);
    case FieldKind::int64s:
      return as<std::vector<int64_t>>(value);
    case FieldKind::numbers:
      return as<std::vector<double>>(value);
    case FieldKind::texts:
      return as<std::vector<std::string>>(value);
    case FieldKind::text_by_name:
      return as<std::map<std::string, std::string>>(value);
    case FieldKind::int64_by_name:
      return as<std::map<std::string, int64_t>>(value);
    case FieldKind::object:
      return object_json(field, value);
    case FieldKind::objects:
      return objects_json(field, value);
  }
  return nullptr;
}

bool is_empty(const Json& value) {
  if (value.is_string()) return value.get_ref<const std::string&>().empty();
  return value.empty() || value == false || value == 0;
}

bool is_omitted(Omit omit, const Json& value) {
  return (omit == Omit::empty && is_empty(value)) || (omit == Omit::one && value == 1);
}

}  // namespace

void put_fields(const Table& table, const void* of, Json& object) {
  for (const Field& field : table.fields) {
    const void* value = field.value(of);
    if (value == nullptr || !field.is_wanted(of)) continue;
    Json json = value_json(field, value);
    if (!is_omitted(field.rules.omit, json)) object[std::string(field.name)] = std::move(json);
  }
}

std::string json_line(std::string_view type, const Table& table, const void* of) {
  Json json = Json::object();
  if (!type.empty()) json["type"] = type;
  put_fields(table, of, json);
  return dump(json, -1);
}

std::string json_document(const Table& table, const void* of) {
  Json json = {{"schema_version", 1}};
  put_fields(table, of, json);
  return dump(json) + "\n";
}

}  // namespace batchscope::schema
