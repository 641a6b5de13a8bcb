#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/schema/tuning.hpp"

namespace batchscope::schema {

// Without the version of the schema, which is that of the document around it.
nlohmann::ordered_json tuning_json(const Tuning& tuning);

}  // namespace batchscope::schema
