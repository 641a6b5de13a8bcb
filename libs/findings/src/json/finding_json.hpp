#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/findings/finding.hpp"

namespace batchscope::findings {

nlohmann::ordered_json finding_json(const Finding& finding);

}  // namespace batchscope::findings
