#pragma once

#include <optional>

#include "batchscope/stats/law.hpp"

namespace batchscope::stats {

struct Point {
  double x = 0.0;
  double t = 0.0;
};

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

std::optional<ScoredLaw> fit_kind(LawKind kind, std::span<const Point> points);

}  // namespace batchscope::stats
