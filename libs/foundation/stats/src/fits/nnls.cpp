#include "nnls.hpp"

#include <cmath>

namespace batchscope::stats {
namespace {

using Vector = std::array<double, kMostColumns>;
using Matrix = std::array<Vector, kMostColumns>;

// The normal equations of columns scaled to length 1, so that a launch time beside a cost a sample
// loses no digits.
struct NormalEquations {
  Matrix gram{};
  Vector right{};
  Vector length{};
};

NormalEquations normal_equations(std::span<const Equation> equations, std::size_t columns) {
  NormalEquations normal;
  for (const Equation& equation : equations) {
    for (std::size_t i = 0; i < columns; ++i) {
      normal.right[i] += equation.row[i] * equation.target;
      for (std::size_t j = 0; j < columns; ++j) {
        normal.gram[i][j] += equation.row[i] * equation.row[j];
      }
    }
  }
  for (std::size_t i = 0; i < columns; ++i) normal.length[i] = std::sqrt(normal.gram[i][i]);
  for (std::size_t i = 0; i < columns; ++i) {
    if (normal.length[i] > 0.0) normal.right[i] /= normal.length[i];
    for (std::size_t j = 0; j < columns; ++j) {
      const double scale = normal.length[i] * normal.length[j];
      if (scale > 0.0) normal.gram[i][j] /= scale;
    }
  }
  return normal;
}

// Solves for the columns in `used` by Cholesky's factorization; the others are 0. nullopt when they
// are dependent.
std::optional<Vector> solve_subset(const NormalEquations& normal, unsigned used,
                                   std::size_t columns) {
  constexpr double kSmallestPivot = 1e-12;
  std::array<std::size_t, kMostColumns> index{};
  std::size_t size = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    if ((used >> i & 1U) != 0U) index[size++] = i;
  }
  Matrix factor{};
  Vector forward{};
  for (std::size_t i = 0; i < size; ++i) {
    double right = normal.right[index[i]];
    for (std::size_t j = 0; j <= i; ++j) {
      double entry = normal.gram[index[i]][index[j]];
      for (std::size_t k = 0; k < j; ++k) entry -= factor[i][k] * factor[j][k];
      if (i == j && !(entry > kSmallestPivot)) return std::nullopt;
      factor[i][j] = i == j ? std::sqrt(entry) : entry / factor[j][j];
    }
    for (std::size_t k = 0; k < i; ++k) right -= factor[i][k] * forward[k];
    forward[i] = right / factor[i][i];
  }
  Vector solution{};
  for (std::size_t i = size; i-- > 0;) {
    double right = forward[i];
    for (std::size_t k = i + 1; k < size; ++k) right -= factor[k][i] * solution[index[k]];
    solution[index[i]] = right / factor[i][i];
  }
  for (std::size_t i = 0; i < size; ++i) solution[index[i]] /= normal.length[index[i]];
  return solution;
}

double sum_of_squares(std::span<const Equation> equations, const Vector& coefficients) {
  double sum = 0.0;
  for (const Equation& equation : equations) {
    double left = equation.target;
    for (std::size_t i = 0; i < kMostColumns; ++i) left -= equation.row[i] * coefficients[i];
    sum += left * left;
  }
  return sum;
}

bool non_negative(const Vector& coefficients) {
  for (const double coefficient : coefficients) {
    if (!(coefficient >= 0.0)) return false;
  }
  return true;
}

}  // namespace

std::optional<NonNegativeSolution> solve_non_negative(std::span<const Equation> equations,
                                                      std::size_t columns) {
  if (equations.size() < columns) return std::nullopt;
  const NormalEquations normal = normal_equations(equations, columns);
  std::optional<NonNegativeSolution> best;
  for (unsigned used = 0; used < 1U << columns; ++used) {
    const auto solution = solve_subset(normal, used, columns);
    if (!solution || !non_negative(*solution)) continue;
    const double left = sum_of_squares(equations, *solution);
    if (!best || left < best->sum_of_squares) best = NonNegativeSolution{*solution, left};
  }
  return best;
}

}  // namespace batchscope::stats
