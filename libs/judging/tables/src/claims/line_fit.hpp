#pragma once

#include <optional>
#include <span>

#include "law_prediction.hpp"

namespace batchscope::tables {

// a + b x with the sums its fit was solved from, which give the gradient of every prediction.
// Coefficients >= 0.
struct FittedLine {
  double a = 0;
  double b = 0;
  double inverse[3] = {0, 0, 0};  // of the normal matrix: aa, ab, bb
  double free_a = 0;              // before a negative coefficient is held at 0
  double free_b = 0;
  double at(double x) const { return a + b * x; }
};

// Relative least squares over the columns in `set`: minimizes the sum of (1 - (a + b x)/t)^2.
// nullopt where the sizes are not two different ones.
std::optional<FittedLine> fit_line(std::span<const double> x, std::span<const double> t,
                                   SizeSet set);
FittedLine fit_constant(std::span<const double> x, std::span<const double> t, SizeSet set);
FittedLine fit_through_origin(std::span<const double> x, std::span<const double> t, SizeSet set);

// The value of the line at `at`, with the gradient over the columns it was fitted to.
LawPrediction read_off(const FittedLine& line, std::span<const double> x, std::span<const double> t,
                       SizeSet set, double at);

double relative_error(const FittedLine& line, std::span<const double> x, std::span<const double> t,
                      SizeSet set);

}  // namespace batchscope::tables
