#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace batchscope::schema {

// A field that is left out where there is no value.
template <class T>
void put(nlohmann::ordered_json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

}  // namespace batchscope::schema
