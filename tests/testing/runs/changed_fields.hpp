#pragma once

#include <map>
#include <string>
#include <vector>

#include "batchscope/schema/run_config.hpp"
#include "batchscope/schema/tables.hpp"

namespace batchscope::schema {

// A configuration that differs from another one in a single field.
struct ChangedField {
  std::string field;  // "loader.workers"
  RunConfig config;
};

// Another word of those that there are; what has none that are known reads a size.
inline void change_word(const Words& words, void* value) {
  const std::string old(words.text(value));
  for (int i = 0; words.name(i) != "?"; ++i) {
    if (words.name(i) != old) return (void)words.read(words.name(i), value);
  }
  (void)words.read("multiple:1024", value);
}

inline void change_value(const Field& field, void* value) {
  switch (field.kind) {
    case FieldKind::boolean:
      *static_cast<bool*>(value) ^= true;
      break;
    case FieldKind::int32:
      *static_cast<int32_t*>(value) += 1;
      break;
    case FieldKind::int64:
      *static_cast<int64_t*>(value) += 1;
      break;
    case FieldKind::text:
      *static_cast<std::string*>(value) += "x";
      break;
    case FieldKind::word:
      change_word(*field.words, value);
      break;
    case FieldKind::text_by_name:
      (*static_cast<std::map<std::string, std::string>*>(value))["ANOTHER"] = "x";
      break;
    default:
      break;  // a kind that no configuration has yet, whose test then fails
  }
}

// `config` with each of its fields changed by itself, those of its parts too: by the table, so that
// a new field is among them. The lengths of a mix stand in the run file alone.
inline std::vector<ChangedField> each_field_changed(const RunConfig& config) {
  std::vector<ChangedField> all;
  for (const Field& field : table_of<RunConfig>().fields) {
    if (field.name == "lengths") continue;
    const bool has_parts = field.kind == FieldKind::object;
    for (const Field& part : has_parts ? field.table().fields : std::span(&field, 1)) {
      ChangedField changed{std::string(field.name), config};
      void* const place = field.place(&changed.config);
      if (has_parts) changed.field += "." + std::string(part.name);
      change_value(part, has_parts ? part.place(place) : place);
      all.push_back(std::move(changed));
    }
  }
  return all;
}

}  // namespace batchscope::schema
