#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "here.hpp"
#include "inputs.hpp"
#include "loader_worker.hpp"
#include "ranges.hpp"
#include "serving.hpp"
#include "traces.hpp"
#include "training/sampler.hpp"
#include "training/training.hpp"
#include "worker.hpp"

namespace nb = nanobind;

NB_MODULE(_core, module) {
  module.doc() = "What batchscope has in C++: the worker's loop, ranges, the dynamic batcher.";
  module.def(
      "serve", &batchscope::python::serve, nb::arg("fd"), nb::arg("load"), nb::arg("plugins"),
      "Makes visits for the program at the other end of the connection fd; returns an exit code.");
  module.def("time_iterations", &batchscope::python::time_iterations, nb::arg("loaded"),
             nb::arg("batch_size"), nb::arg("iterations"),
             "The times of iterations in the worker's loop, ns.");
  batchscope::python::add_here(module);
  batchscope::python::add_inputs(module);
  batchscope::python::add_loader_worker(module);
  batchscope::python::add_ranges(module);
  batchscope::python::add_sampler(module);
  batchscope::python::add_serving(module);
  batchscope::python::add_traces(module);
  batchscope::python::add_training(module);
}
