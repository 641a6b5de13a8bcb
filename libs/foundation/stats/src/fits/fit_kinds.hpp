#pragma once

#include <optional>
#include <span>
#include <vector>

#include "batchscope/stats/law.hpp"
#include "weighted_sums.hpp"

namespace batchscope::stats {

struct ScoredLaw {
  Law law;
  double sum_of_squares = 0.0;  // of (law(x) - t) / t
};

// Best law of each kind for points in ascending order of x, all positive; nullopt when the points
// do not determine one. No minimum beyond that: leave-one-out has one point fewer than the caller.
std::optional<ScoredLaw> fit_affine(std::span<const Point> points);
std::optional<ScoredLaw> fit_staircase(std::span<const Point> points);
std::optional<ScoredLaw> fit_roofline(std::span<const Point> points);
std::optional<ScoredLaw> fit_two_segments(std::span<const Point> points);

// Staircases of all widths to the same points. What the widths need of the points is summed up
// once.
class Staircases {
 public:
  explicit Staircases(std::span<const Point> points);
  // As fit_staircase of `points`: those that it was made of, but for the one that is left out.
  std::optional<ScoredLaw> fit(std::span<const Point> points,
                               std::optional<Point> left_out = {}) const;

 private:
  struct Width {
    double q = 0;
    WeightedSums sums;
  };
  std::vector<Width> widths_;
};

std::optional<ScoredLaw> fit_kind(LawKind kind, std::span<const Point> points);

}  // namespace batchscope::stats
