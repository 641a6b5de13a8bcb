#pragma once

#include <nanobind/nanobind.h>

#include "batchscope/engine/tensor.hpp"

namespace batchscope::python {

namespace nb = nanobind;

// A tensor as (name, dtype, shape, bytes), and back. Raises what a wrong one raises.
nb::tuple tuple_of(const engine::Tensor& tensor);
engine::Tensor tensor_of(nb::handle reported);

}  // namespace batchscope::python
