#pragma once

#include <optional>
#include <vector>

#include "departure.hpp"

namespace batchscope::tables {

// A table seen as one curve: what the tests of its shape share.
struct CurveProblem {
  const BlockTable& table;
  stats::Method method;
  std::vector<double> sizes;
  std::vector<double> log_times;  // block-normalised medians relative to the first
  std::vector<double> times;      // exp of them

  Curve curve() const { return {sizes, times}; }
};
CurveProblem make_problem(const BlockTable& table, stats::Method method);

// The level at which the two-sided interval of the estimate just does not reach into
// [-tolerance, tolerance], so that the printed interval is the test; 1 for an estimate inside.
double p_beyond(const stats::MeanEstimate& estimate, double tolerance);

// ln(time / law) of `target`, a value a block: the contrast of this size with the combination of
// the others by which the law, fitted to `fitted`, predicts it. So the uncertainty of the fit is
// part of the scatter over blocks. p is that of |excess| <= tolerance (ln units). nullopt where
// the law is not determined or no block holds all that is needed.
std::optional<DepartureMember> departure_from_law(const CurveProblem& problem, CurveLaw law,
                                                  SizeSet fitted, std::size_t target,
                                                  double tolerance);

}  // namespace batchscope::tables
