#pragma once

#include "batchscope/findings/summary.hpp"
#include "document/document.hpp"

namespace batchscope::report {

// What diagnostic visits saw, table by table: the process and the machine at each batch size,
// operators and kernels, primitives, and what could not be measured. Empty without such visits.
Document diagnosis_section(const findings::Summary& summary);

// The few operations of one table that have most to do with the differences between its sizes, for
// a terminal. Empty where none has.
Document changing_operations(const findings::Group& group);

}  // namespace batchscope::report
