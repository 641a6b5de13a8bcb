#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/findings/diagnostics.hpp"

namespace batchscope::findings {

nlohmann::ordered_json diagnostics_json(const Diagnostics& diagnostics);

}  // namespace batchscope::findings
