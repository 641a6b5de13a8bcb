#pragma once

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace batchscope::python {

// TrainingMonitor: what a training loop in Python tells of its steps.
void add_training(nb::module_& module);

}  // namespace batchscope::python
