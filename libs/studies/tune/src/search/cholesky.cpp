#include "cholesky.hpp"

#include <cmath>

namespace batchscope::tune {
namespace {

// In four sums, as one would wait for each of its additions: searches spend their time here.
double dot(const double* a, const double* b, std::size_t n) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4) {
    s0 += a[k] * b[k];
    s1 += a[k + 1] * b[k + 1];
    s2 += a[k + 2] * b[k + 2];
    s3 += a[k + 3] * b[k + 3];
  }
  for (; k < n; ++k) s0 += a[k] * b[k];
  return (s0 + s1) + (s2 + s3);
}

}  // namespace

std::optional<Cholesky> Cholesky::of(std::vector<double> matrix, std::size_t n) {
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      const double sum =
          matrix[row * n + column] - dot(&matrix[row * n], &matrix[column * n], column);
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
    b[row] = (b[row] - dot(&lower_[row * n_], b.data(), row)) / lower_[row * n_ + row];
  }
  return b;
}

std::vector<double> Cholesky::backward(std::vector<double> b) const {
  for (std::size_t row = n_; row-- > 0;) {
    b[row] /= lower_[row * n_ + row];
    for (std::size_t k = 0; k < row; ++k) b[k] -= lower_[row * n_ + k] * b[row];
  }
  return b;
}

double Cholesky::log_determinant() const {
  double sum = 0;
  for (std::size_t i = 0; i < n_; ++i) sum += std::log(lower_[i * n_ + i]);
  return sum;
}

}  // namespace batchscope::tune
