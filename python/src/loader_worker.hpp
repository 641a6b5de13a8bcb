#pragma once

#include <nanobind/nanobind.h>

namespace batchscope::python {

// obey_only(trainer, signals): in a worker of a data loader. Those signals no longer end the
// process, wherever they come from, and are no longer blocked; SIGTERM from the trainer does, at
// once. A program that the worker starts has the usual handlers.
void add_loader_worker(nanobind::module_& module);

}  // namespace batchscope::python
