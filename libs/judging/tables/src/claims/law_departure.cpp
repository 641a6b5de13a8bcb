#include "law_departure.hpp"

#include <cmath>

namespace batchscope::tables {
namespace {

// A single value is taken as it stands: there is nothing to judge its scatter by.
std::optional<stats::MeanEstimate> centre(const std::vector<double>& values, stats::Method method) {
  if (values.size() == 1) return stats::MeanEstimate{values.front(), 0.0, 1.0, 1, method};
  return stats::estimate_mean(values, method);
}

}  // namespace

CurveProblem make_problem(const BlockTable& table, stats::Method method) {
  CurveProblem problem{table, method, {}, block_normalised_medians(table), {}};
  for (const int64_t size : table.sizes) problem.sizes.push_back(static_cast<double>(size));
  const double first = problem.log_times.front();
  for (double& log_time : problem.log_times) {
    log_time -= first;
    problem.times.push_back(std::exp(log_time));
  }
  return problem;
}

double p_beyond(const stats::MeanEstimate& estimate, double tolerance) {
  if (std::abs(estimate.value) <= tolerance) return 1;
  return 2 * (estimate.value > 0 ? stats::p_greater(estimate, tolerance)
                                 : stats::p_less(estimate, -tolerance));
}

std::optional<DepartureMember> departure_from_law(const CurveProblem& problem, CurveLaw law,
                                                  SizeSet fitted, std::size_t target,
                                                  double tolerance) {
  const auto prediction = predict(law, problem.curve(), fitted, target);
  if (!prediction) return std::nullopt;
  // First order around the typical curve: the blocks' values differ from it by per cents.
  const std::size_t n = problem.sizes.size();
  double offset = -prediction->log_time;
  for (std::size_t s = 0; s < n; ++s) offset += prediction->gradient[s] * problem.log_times[s];
  std::vector<double> excesses;
  for (const auto& block : problem.table.blocks) {
    double value = block[target];
    for (std::size_t s = 0; s < n; ++s) {
      if (prediction->gradient[s] != 0) value -= prediction->gradient[s] * block[s];
    }
    if (!is_missing(value)) excesses.push_back(value + offset);
  }
  const auto estimate = centre(excesses, problem.method);
  if (!estimate) return std::nullopt;
  return DepartureMember{target, *estimate, stats::p_outside_margin(*estimate, tolerance)};
}

}  // namespace batchscope::tables
