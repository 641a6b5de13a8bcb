#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <vector>

namespace batchscope::torch_plugin {

// How a parameter starts: drawn around `mean` with this standard deviation; 0: every element is
// `mean`.
struct Values {
  double mean = 0;
  double deviation = 0;
};

// Fills parameters with random values fast enough for a process that lives for a few iterations:
// one block of values is drawn, scaled and cast once for each deviation, and repeated through the
// tensor from an offset of the tensor's own. The block's length is prime, so that the rows of a
// matrix differ. The smallest value apart from 0 is deviation * 2.6e-5: nothing is denormal.
class ValueTiles {
 public:
  // The same seed gives the same values, on any machine.
  explicit ValueTiles(uint64_t seed);
  // `tensor` is contiguous and on the CPU. `stream` tells the tensors of one model apart.
  void fill(const at::Tensor& tensor, Values values, uint64_t stream);

 private:
  const at::Tensor& block(Values values, at::ScalarType dtype);

  uint64_t seed_;
  at::Tensor standard_;  // mean 0, deviation 1
  std::map<std::pair<at::ScalarType, std::pair<double, double>>, at::Tensor> blocks_;
};

// `count` values with mean 0 and deviation 1: sums of four uniform 16-bit integers, which is close
// to normal (and within +-3.5) and takes no function whose last digit depends on the C library.
std::vector<float> standard_values(uint64_t seed, int64_t count);

}  // namespace batchscope::torch_plugin
