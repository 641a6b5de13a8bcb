#include "inputs.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/engine/engine.hpp"
#include "tensors.hpp"

namespace batchscope::python {
namespace {

template <class T>
T value_or_raise(base::Result<T> result) {
  if (!result) throw nb::value_error(base::to_string(result.error()).c_str());
  return *std::move(result);
}

nb::list make_inputs(const std::vector<std::string>& texts, int64_t batch_size,
                     std::optional<int64_t> seq_len, uint64_t seed) {
  const auto specs = value_or_raise(engine::parse_input_specs(texts));
  schema::Shape shape;
  shape.batch_size = batch_size;
  shape.seq_len = seq_len;
  nb::list inputs;
  for (const engine::Tensor& each : value_or_raise(engine::make_inputs(specs, shape, 0, seed))) {
    inputs.append(tuple_of(each));
  }
  return inputs;
}

}  // namespace

void add_inputs(nb::module_& module) {
  module.def("make_inputs", make_inputs, nb::arg("texts"), nb::arg("batch_size"),
             nb::arg("seq_len").none(), nb::arg("seed"));
}

}  // namespace batchscope::python
