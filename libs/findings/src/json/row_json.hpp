#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/findings/summary.hpp"

namespace batchscope::findings {

// A row of the scaling table under the names of the CSV columns, then what a flat table cannot
// hold. A value that cannot be had is null, so that every row has the same names.
nlohmann::ordered_json row_json(const ConfigRow& row);

}  // namespace batchscope::findings
