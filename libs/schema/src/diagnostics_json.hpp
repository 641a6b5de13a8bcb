#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/schema/diagnostics.hpp"

namespace batchscope::schema {

nlohmann::ordered_json diagnostics_json(const Diagnostics& diagnostics);

}  // namespace batchscope::schema
