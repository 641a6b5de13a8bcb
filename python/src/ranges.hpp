#pragma once

#include <nanobind/nanobind.h>

#include "batchscope/base/result.hpp"
#include "batchscope/engine/engine.hpp"
#include "batchscope/ranges/profiler.hpp"

namespace batchscope::python {

namespace nb = nanobind;

// The profiler that batchscope.range records into, on every thread; null: ranges cost next to
// nothing and are recorded nowhere. It outlives its use: ranges that are still open when another
// one takes its place are ended then. Returns the one before.
ranges::Profiler* record_ranges_into(ranges::Profiler* profiler);

// Of the iteration that has just run on the calling thread: its outermost ranges become phases of
// the iteration, since phases do not overlap. Errors: failed (a range is still open).
base::Result<void> report_ranges(engine::PhaseSink& sink);

// Adds the types `range` and `Profiler` to the module.
void add_ranges(nb::module_& module);

}  // namespace batchscope::python
