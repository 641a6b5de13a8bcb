#pragma once

#include <string>
#include <vector>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::findings {

// What schema::MeasurementPlan::only names.
enum class DiagnosisPart { kernels, memory, padding, sync, trace, transfers };
std::vector<std::string> names_of_diagnosis_parts();

// Whether a diagnosis by this plan is to see that part: all where it names none.
bool asks_for(const schema::MeasurementPlan& plan, DiagnosisPart part);
// Whether any part is asked for that is seen by the tracer alone. Page faults, memory and padding
// are seen without.
bool asks_for_trace(const schema::MeasurementPlan& plan);
// Whether the trace itself is all that is asked for: nothing is to be seen without the tracer.
bool asks_for_trace_alone(const schema::MeasurementPlan& plan);

}  // namespace batchscope::findings
