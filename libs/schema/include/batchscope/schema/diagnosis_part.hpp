#pragma once

#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::schema {

// What MeasurementPlan::only names.
enum class DiagnosisPart { kernels, memory, padding, sync, trace, transfers };
// Errors: usage.
base::Result<DiagnosisPart> parse_diagnosis_part(std::string_view text);

// Whether a diagnosis by this plan is to see that part: all where it names none.
bool asks_for(const MeasurementPlan& plan, DiagnosisPart part);
// Whether any part is asked for that is seen by the tracer alone. Page faults, memory and padding
// are seen without.
bool asks_for_trace(const MeasurementPlan& plan);

}  // namespace batchscope::schema
