#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace batchscope::stats {

// One training step: the squared norm of its gradient over B_small samples (the mean over several
// such batches) and over B_large.
struct SquaredNorms {
  double small = 0;
  double large = 0;
};

// Where larger batches stop helping: the variance of a sample's gradient over the squared mean
// gradient, in samples ["simple noise scale", McCandlish et al. 2018, arXiv:1812.06162, A.1].
struct NoiseScale {
  double samples = 0;           // B_simple; negative or not finite where nothing can be said
  double squared_gradient = 0;  // |G|^2, weighted mean over the steps
  double variance = 0;          // tr(Sigma), the same
  // Fieller's interval of their ratio. Without `high` the gradient is not told from noise: the
  // scale is at least `low`. Without both nothing is known.
  std::optional<double> low, high;
  std::size_t steps = 0;
  // How many times the scale of the first half of the steps that weigh (by weight) that of the
  // second is, where that is no chance (two-sided, p < 0.01): the weights moved while they were
  // averaged, `low` and `high` are stretched to hold both, and promise no level.
  std::optional<double> drift;
};

// Weighted towards the last steps: each counts `decay` times the next one (an exponential moving
// average without its bias). The noise of steps is taken to be independent, as it is when each
// takes samples of its own. b_small < b_large; nullopt below 10 steps.
std::optional<NoiseScale> noise_scale(std::span<const SquaredNorms> steps, double b_small,
                                      double b_large, double decay = 0.99, double level = 0.95);

}  // namespace batchscope::stats
