#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace batchscope::torch_plugin {

// What one input of a package was compiled for.
struct CompiledInput {
  struct Size {
    std::optional<int64_t> fixed;    // absent: any
    std::optional<int64_t> largest;  // of those
  };
  std::string dtype;  // "float32"; empty when unknown
  std::vector<Size> sizes;
};

// Compiled code reads past the end of an input that is too small. It carries checks, which are off
// by default and would also refuse a batch size of 1 (dynamic sizes are compiled as >= 2, yet work
// with 1). So the checks are read from the sources in the package, and made here: nothing else says
// what a package takes. Empty when the sources have no such checks.
std::vector<CompiledInput> compiled_inputs(std::string_view source);

// "float32 ?x64"
std::string describe(const CompiledInput& input);

// Whether a tensor is what was compiled for; strides are those of a contiguous tensor.
bool fits(const CompiledInput& input, const at::Tensor& tensor);

}  // namespace batchscope::torch_plugin
