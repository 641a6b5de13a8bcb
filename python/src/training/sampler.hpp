#pragma once

#include <nanobind/nanobind.h>

namespace batchscope::python {

namespace nb = nanobind;

// The sampler of libs/studies/serving, as batchscope._training.sampler uses it.
void add_sampler(nb::module_& module);

}  // namespace batchscope::python
