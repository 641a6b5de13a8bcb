#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/findings/tuning.hpp"

namespace batchscope::findings {

// Without the version of the schema, which is that of the document around it.
nlohmann::ordered_json tuning_json(const Tuning& tuning);

}  // namespace batchscope::findings
