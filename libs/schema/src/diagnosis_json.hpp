#pragma once

#include <nlohmann/json.hpp>

#include "batchscope/schema/diagnosis.hpp"
#include "json/json_fields.hpp"

namespace batchscope::schema {

// The part of a visit's line that a diagnostic visit adds; absent values are left out.
nlohmann::ordered_json diagnosis_json(const Diagnosis& diagnosis);
void read_diagnosis(const JsonFields& fields, Diagnosis& diagnosis);

}  // namespace batchscope::schema
