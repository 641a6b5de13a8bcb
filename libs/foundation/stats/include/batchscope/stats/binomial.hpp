#pragma once

#include <cstddef>
#include <optional>

#include "batchscope/stats/interval.hpp"

namespace batchscope::stats {

// The exact (never too short) interval for a probability of which `successes` of `trials` were
// seen: Clopper and Pearson (1934), equal tails. level in (0, 1), successes <= trials. No trials:
// [0, 1].
Interval clopper_pearson(std::size_t successes, std::size_t trials, double level = 0.95);

// One-sided exact bounds: the probability lies above / below with confidence `level`.
double clopper_pearson_lower(std::size_t successes, std::size_t trials, double level = 0.95);
double clopper_pearson_upper(std::size_t successes, std::size_t trials, double level = 0.95);

// The divergence (Kullback and Leibler 1951) of a yes or no with the probability `share` from one
// with the probability `from`, in nats; both in [0, 1]. Of n of which n * share are "yes", n times
// this is the logarithm of a likelihood ratio, and bounds the tail of the binomial (Chernoff 1952):
// P(at least n * share) <= exp(-n * divergence) where share >= from. Infinite where `from` makes it
// impossible.
double divergence(double share, double from);

// Ranks, counted from 1, of the order statistics that enclose a quantile.
struct RankInterval {
  std::size_t low = 0;
  std::size_t high = 0;
};

// The narrowest pair of ranks with at most (1 - level) / 2 in each tail: the number of n
// independent values below the quantile is binomial (David and Nagaraja 2003, section 7.1). nullopt
// where no such pair exists: at 95 % the 0.9 quantile needs 36 values, the 0.99 quantile 368.
// probability in (0, 1), level in (0, 1).
std::optional<RankInterval> quantile_ranks(std::size_t n, double probability, double level = 0.95);

// The fewest values for which quantile_ranks exist.
std::size_t quantile_sample_size(double probability, double level = 0.95);

}  // namespace batchscope::stats
