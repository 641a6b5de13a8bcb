#include "cholesky.hpp"

#include <cmath>

namespace batchscope::tune {

std::optional<Cholesky> Cholesky::of(std::vector<double> matrix, std::size_t n) {
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      double sum = matrix[row * n + column];
      for (std::size_t k = 0; k < column; ++k) sum -= matrix[row * n + k] * matrix[column * n + k];
      if (row != column) {
        matrix[row * n + column] = sum / matrix[column * n + column];
        continue;
      }
      if (!(sum > 0)) return std::nullopt;
      matrix[row * n + row] = std::sqrt(sum);
    }
  }
  return Cholesky(std::move(matrix), n);
}

std::vector<double> Cholesky::forward(std::vector<double> b) const {
  for (std::size_t row = 0; row < n_; ++row) {
    for (std::size_t k = 0; k < row; ++k) b[row] -= lower_[row * n_ + k] * b[k];
    b[row] /= lower_[row * n_ + row];
  }
  return b;
}

std::vector<double> Cholesky::backward(std::vector<double> b) const {
  for (std::size_t row = n_; row-- > 0;) {
    for (std::size_t k = row + 1; k < n_; ++k) b[row] -= lower_[k * n_ + row] * b[k];
    b[row] /= lower_[row * n_ + row];
  }
  return b;
}

double Cholesky::log_determinant() const {
  double sum = 0;
  for (std::size_t i = 0; i < n_; ++i) sum += std::log(lower_[i * n_ + i]);
  return sum;
}

}  // namespace batchscope::tune
