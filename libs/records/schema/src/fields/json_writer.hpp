#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/schema/fields.hpp"

namespace batchscope::schema {

// Puts the fields of a struct behind those that the object already has.
void put_fields(const Table& table, const void* of, nlohmann::ordered_json& object);

}  // namespace batchscope::schema
