#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <vector>

namespace batchscope::python {

namespace nb = nanobind;

// Makes visits for the program at the other end of the connection `fd`, as measure::worker_main
// does; models in Python come from `load` (batchscope._inside.host.load), other engines from
// `plugins`, folders. Holds the interpreter's lock but for what the models do with it themselves:
// nothing else is to run beside what is timed.
int serve(int fd, nb::object load, const std::vector<std::string>& plugins);

// The timed iterations of one visit of a model, `loaded` as of batchscope._inside.host.load, in
// this process: ns each. Raises RuntimeError with what the model raised.
std::vector<int64_t> time_iterations(nb::object loaded, int64_t batch_size, int iterations);

}  // namespace batchscope::python
