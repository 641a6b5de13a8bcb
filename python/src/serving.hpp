#pragma once

#include <nanobind/nanobind.h>

namespace batchscope::python {

namespace nb = nanobind;

// The dynamic batcher of libs/studies/serving, as batchscope._inside.batcher uses it.
void add_serving(nb::module_& module);

}  // namespace batchscope::python
