#pragma once

#include <optional>
#include <string>

#include "batchscope/schema/run_config.hpp"

namespace batchscope::schema {

// What the documents of libraries above take over from the run file's JSON. `Json` is
// nlohmann::ordered_json; a parameter, because no public header shows a third party's.

// The text; what is no UTF-8 in it is replaced. An indent of -1 is one line.
template <class Json>
std::string dump(const Json& json, int indent = 2) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// A field that is left out where there is no value.
template <class Json, class T>
void put(Json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

// The axes under the names that flags and all machine output use. A batch size of 0 (a table's key)
// and what is empty are left out. Defined for nlohmann::ordered_json alone.
template <class Json>
Json config_json(const RunConfig& config);

}  // namespace batchscope::schema
