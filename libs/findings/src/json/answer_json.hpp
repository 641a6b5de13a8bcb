#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/findings/answer.hpp"

namespace batchscope::findings {

nlohmann::ordered_json answer_json(const Answer& answer);

}  // namespace batchscope::findings
