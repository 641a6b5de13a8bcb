#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/findings/place.hpp"

namespace batchscope::findings {

nlohmann::ordered_json place_json(const Place& place);

}  // namespace batchscope::findings
