#include "batchscope/stats/scalability.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "nnls.hpp"

namespace batchscope::stats {
namespace {

constexpr std::size_t kFewestWorkerCounts = 3;

std::size_t count_distinct(std::span<const double> values) {
  std::vector<double> ascending(values.begin(), values.end());
  std::sort(ascending.begin(), ascending.end());
  return static_cast<std::size_t>(std::unique(ascending.begin(), ascending.end()) -
                                  ascending.begin());
}

}  // namespace

double ScalabilityLaw::evaluate(double workers) const {
  return lambda * workers / (1.0 + sigma * (workers - 1.0) + kappa * workers * (workers - 1.0));
}

std::optional<double> ScalabilityLaw::peak() const {
  if (kappa <= 0.0) return std::nullopt;
  return std::sqrt(std::max(1.0, (1.0 - sigma) / kappa));
}

std::optional<ScalabilityLaw> fit_scalability(std::span<const double> workers,
                                              std::span<const double> throughput) {
  if (workers.size() != throughput.size() || count_distinct(workers) < kFewestWorkerCounts) {
    return std::nullopt;
  }
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const double n = workers[i];
    if (!(n >= 1.0) || !(throughput[i] > 0.0)) return std::nullopt;
    const double per_time = throughput[i] / n;
    equations.push_back({{per_time, per_time * (n - 1.0), per_time * n * (n - 1.0)}, 1.0});
  }
  const auto solution = solve_non_negative(equations, 3);
  if (!solution || !(solution->coefficients[0] > 0.0)) return std::nullopt;
  const auto& [time, contention, coherency] = solution->coefficients;
  const double mean_square = solution->sum_of_squares / static_cast<double>(equations.size());
  return ScalabilityLaw{1.0 / time, contention / time, coherency / time, std::sqrt(mean_square)};
}

}  // namespace batchscope::stats
