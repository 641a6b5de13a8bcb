#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "batchscope/findings/answer.hpp"
#include "batchscope/findings/gate.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/findings/tuning.hpp"

namespace batchscope::report {

nlohmann::ordered_json answer_json(const findings::Answer& answer);

// A gain in throughput with the level of its interval, and what it is against.
nlohmann::ordered_json gain_json(const findings::Estimate& gain, double level,
                                 const std::string& against);

nlohmann::ordered_json gate_json(const findings::Gate& gate);

// A row of the scaling table under the names of the CSV columns, then what a flat table cannot
// hold. A value that cannot be had is null, so that every row has the same names.
nlohmann::ordered_json row_json(const findings::ConfigRow& row);

// A setting of a DataLoader in Python with all that was measured of it.
nlohmann::ordered_json loader_json(const findings::LoaderRow& row);

// Without the version of the schema, which is that of the document around it.
nlohmann::ordered_json tuning_json(const findings::Tuning& tuning);

}  // namespace batchscope::report
