#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/findings/gate.hpp"

namespace batchscope::findings {

nlohmann::ordered_json gate_json(const Gate& gate);

}  // namespace batchscope::findings
