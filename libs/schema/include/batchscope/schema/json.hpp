#pragma once

#include <optional>

#include "batchscope/schema/run_config.hpp"

namespace batchscope::schema {

// What the documents of libraries above take over from the run file's JSON. `Json` is
// nlohmann::ordered_json; a parameter, because no public header shows a third party's.

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
