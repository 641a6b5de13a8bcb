#pragma once

#include <nanobind/nanobind.h>

namespace batchscope::python {

namespace nb = nanobind;

// The dynamic batcher and the sampler of libs/studies/serving, as batchscope._inside.batcher uses
// them: `Batcher` and `BatchSampler` of the module.
void add_serving(nb::module_& module);

}  // namespace batchscope::python
