#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/findings/answer.hpp"
#include "batchscope/findings/gate.hpp"
#include "batchscope/findings/place.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/findings/tuning.hpp"

namespace batchscope::findings {

nlohmann::ordered_json answer_json(const Answer& answer);

nlohmann::ordered_json gate_json(const Gate& gate);

nlohmann::ordered_json place_json(const Place& place);

// A row of the scaling table under the names of the CSV columns, then what a flat table cannot
// hold. A value that cannot be had is null, so that every row has the same names.
nlohmann::ordered_json row_json(const ConfigRow& row);

// Without the version of the schema, which is that of the document around it.
nlohmann::ordered_json tuning_json(const Tuning& tuning);

}  // namespace batchscope::findings
