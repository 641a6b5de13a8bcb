#include "parameter_source.hpp"

#include <ATen/ops/empty.h>
#include <c10/util/accumulate.h>

#include <sstream>

namespace batchscope::torch_plugin {

void ParameterCounter::describe(const std::string& name, at::IntArrayRef shape, Values values) {
  std::ostringstream text;
  text << name << shape << values.mean << ',' << values.deviation << ';';
  definition_ += text.str();
}

at::Tensor ParameterCounter::parameter(const std::string& name, at::IntArrayRef shape,
                                       Values values) {
  describe(name, shape, values);
  parameters_ += c10::multiply_integers(shape);
  return {};
}

at::Tensor ParameterCounter::buffer(const std::string& name, at::IntArrayRef shape, Values values) {
  describe(name, shape, values);
  return {};
}

ParameterFactory::ParameterFactory(uint64_t seed, at::ScalarType dtype, at::Device device,
                                   bool trainable)
    : tiles_(seed), dtype_(dtype), device_(device), trainable_(trainable) {}

at::Tensor ParameterFactory::make(at::IntArrayRef shape, Values values) {
  at::Tensor tensor = at::empty(shape, at::TensorOptions(dtype_));
  tiles_.fill(tensor, values, made_++);
  return tensor.to(device_);
}

at::Tensor ParameterFactory::parameter(const std::string& name, at::IntArrayRef shape,
                                       Values values) {
  named_.emplace_back(name, make(shape, values).set_requires_grad(trainable_));
  return named_.back().second;
}

at::Tensor ParameterFactory::buffer(const std::string&, at::IntArrayRef shape, Values values) {
  return make(shape, values);
}

}  // namespace batchscope::torch_plugin
