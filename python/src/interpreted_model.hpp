#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"

namespace batchscope::python {

namespace nb = nanobind;

// A model of batchscope._inside.host as the loop runs it. Errors: what it raised.
base::Result<std::unique_ptr<engine::Model>> make_model(nb::object loaded,
                                                        const engine::ModelSpec& spec,
                                                        const engine::ExecutionSpec& execution);

}  // namespace batchscope::python
