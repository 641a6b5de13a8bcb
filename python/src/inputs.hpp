#pragma once

#include <nanobind/nanobind.h>

namespace batchscope::python {

namespace nb = nanobind;

// make_inputs(texts, batch_size, seq_len, seed): random inputs as engine::make_inputs makes them
// for every engine, each (name, dtype, shape, bytes). Raises ValueError.
void add_inputs(nb::module_& module);

}  // namespace batchscope::python
