#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"

namespace batchscope::python {

namespace nb = nanobind;

// The engine "python" in an interpreter: load(request) -> model is batchscope._inside.host.load,
// whose docstrings say what it takes and returns. Used with the interpreter's lock held.
base::Result<std::unique_ptr<engine::Engine>> make_engine(nb::object load);

}  // namespace batchscope::python
