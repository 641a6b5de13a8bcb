#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "values.hpp"

namespace batchscope::torch_plugin {

// Where a network takes its tensors from while it is built. One description of a network serves
// both for counting its parameters and for making them.
class ParameterSource {
 public:
  virtual ~ParameterSource() = default;
  // A trained tensor.
  virtual at::Tensor parameter(const std::string& name, at::IntArrayRef shape, Values values) = 0;
  // A tensor that is neither trained nor counted (running statistics).
  virtual at::Tensor buffer(const std::string& name, at::IntArrayRef shape, Values values) = 0;
};

// Counts, and makes nothing: the tensors it hands out are undefined.
class ParameterCounter final : public ParameterSource {
 public:
  at::Tensor parameter(const std::string& name, at::IntArrayRef shape, Values values) override;
  at::Tensor buffer(const std::string& name, at::IntArrayRef shape, Values values) override;
  int64_t parameters() const { return parameters_; }
  // "name[shape]mean,deviation;" of every tensor: what the definition's hash is taken of.
  const std::string& definition() const { return definition_; }

 private:
  void describe(const std::string& name, at::IntArrayRef shape, Values values);

  int64_t parameters_ = 0;
  std::string definition_;
};

// Makes tensors in one type on one device.
class ParameterFactory final : public ParameterSource {
 public:
  ParameterFactory(uint64_t seed, at::ScalarType dtype, at::Device device, bool trainable);
  at::Tensor parameter(const std::string& name, at::IntArrayRef shape, Values values) override;
  at::Tensor buffer(const std::string& name, at::IntArrayRef shape, Values values) override;
  // Parameters, in the order they were asked for.
  const std::vector<std::pair<std::string, at::Tensor>>& named() const { return named_; }

 private:
  at::Tensor make(at::IntArrayRef shape, Values values);

  ValueTiles tiles_;
  at::ScalarType dtype_;
  at::Device device_;
  bool trainable_;
  uint64_t made_ = 0;
  std::vector<std::pair<std::string, at::Tensor>> named_;
};

}  // namespace batchscope::torch_plugin
