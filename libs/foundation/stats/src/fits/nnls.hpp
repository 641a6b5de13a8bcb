#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace batchscope::stats {

inline constexpr std::size_t kMostColumns = 3;

// One equation of a small least-squares problem: sum over columns of row[c] * coefficient[c] should
// be `target`.
struct Equation {
  std::array<double, kMostColumns> row{};
  double target = 0.0;
};

struct NonNegativeSolution {
  std::array<double, kMostColumns> coefficients{};
  double sum_of_squares = 0.0;  // of what is left of the targets
};

// Least squares with coefficients >= 0 for at most 3 columns. Exact: the solution is the
// unconstrained one on the columns it uses, so the best feasible one among all subsets of columns
// is found by trying them (Lawson and Hanson 1974, chapter 23, show that such a subset exists).
// Subsets whose columns depend on each other are passed over; nullopt when there are more columns
// than equations or all columns are zero.
std::optional<NonNegativeSolution> solve_non_negative(std::span<const Equation> equations,
                                                      std::size_t columns);

}  // namespace batchscope::stats
