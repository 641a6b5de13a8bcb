#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/schema/run_config.hpp"

namespace batchscope::schema {

// The axes under the names that flags and all machine output use. A batch size of 0 (a table's key)
// and what is empty are left out.
nlohmann::ordered_json config_json(const RunConfig& config);

}  // namespace batchscope::schema
