#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/schema/gate.hpp"

namespace batchscope::schema {

nlohmann::ordered_json gate_json(const Gate& gate);

}  // namespace batchscope::schema
