#pragma once

#include <nanobind/nanobind.h>

namespace batchscope::python {

// read_trace(path): the activities of a trace, column by column.
void add_traces(nanobind::module_& module);

}  // namespace batchscope::python
