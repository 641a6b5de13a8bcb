#pragma once

#include "batchscope/document/document.hpp"
#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

// What diagnostic visits saw, table by table: the process and the machine at each batch size,
// operators and kernels, primitives, and what could not be measured. Empty without such visits.
document::Document diagnosis_section(const findings::Summary& summary);

// The few operations of one table that have most to do with the differences between its sizes, for
// a terminal. Empty where none has.
document::Document changing_operations(const findings::Group& group);

}  // namespace batchscope::report
