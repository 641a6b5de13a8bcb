#pragma once

#include <nanobind/nanobind.h>

namespace batchscope::python {

namespace nb = nanobind;

// profile_here(...): study::profile of callables of this interpreter, as batchscope._inside.here
// calls it.
void add_here(nb::module_& module);

}  // namespace batchscope::python
