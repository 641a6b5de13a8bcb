#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace batchscope::tune {

// A symmetric positive definite n x n matrix, row by row, as L L^T.
class Cholesky {
 public:
  // nullopt when it is not positive definite.
  static std::optional<Cholesky> of(std::vector<double> matrix, std::size_t n);

  // x with L x = b.
  std::vector<double> forward(std::vector<double> b) const;
  // x with L^T x = b.
  std::vector<double> backward(std::vector<double> b) const;
  // ln |L|: half of ln |matrix|.
  double log_determinant() const;

 private:
  Cholesky(std::vector<double> lower, std::size_t n) : lower_(std::move(lower)), n_(n) {}
  std::vector<double> lower_;
  std::size_t n_;
};

}  // namespace batchscope::tune
