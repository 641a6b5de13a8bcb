#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace batchscope::stats {

// How the time of one run may grow with its size x (batch size, sequence length); all coefficients
// in the unit of the times, or that per unit of x.
enum class LawKind {
  affine,        // a + b x; coefficients {a, b}
  staircase,     // a + b ceil(x / q); {a, b, q}
  roofline,      // max(launch, a_mem + b_mem x, b_comp x); {launch, a_mem, b_mem, b_comp}, unused 0
  two_segments,  // a1 + b1 x up to x = last, a2 + b2 x after it; {a1, b1, last, a2, b2}
};

struct Law {
  LawKind kind = LawKind::affine;
  std::vector<double> coefficients;  // in the order given above

  double evaluate(double x) const;
};

// Sizes below which a kind is not fitted: 2 for affine; 6 for the others, because fewer points do
// not tell them from an affine law with one odd point.
std::size_t fewest_points(LawKind kind);

// The widths of a staircase to try: the narrowest, and the next after `q`. Tile and vector widths
// are small or round, and a wave of tiles need not hold a whole number of samples: by quarters to
// 8, one by one to 64, then 16 from each power of two to the next reach 96, 128 and 192, and their
// number grows only with the logarithm of the largest size.
inline constexpr double kNarrowestStaircase = 1.25;
double next_staircase_width(double q);

// The law of that kind that minimizes the sum of ((law(x) - t) / t)^2 with coefficients >= 0 (only
// a2 may be below 0, as long as the time is not): relative, so that a small batch counts as much as
// a large one. x and t: same length, any order, one point a size, all > 0. nullopt when there are
// fewer than fewest_points, or a value is not positive and finite. Staircase: q up to
// max(x), in steps of next_staircase_width. Roofline and two segments: every way to cut the points,
// ordered by x, into pieces of >= 2 (roofline) or >= 3 (two segments) points is tried; of a
// roofline of more than 32 points 32 cuts spread over them, then those around the best. The time
// grows with n, that of fit_with_loo with n^2.
std::optional<Law> fit_law(LawKind kind, std::span<const double> x, std::span<const double> t);

// A law with how well it predicts points that it has not seen.
struct LawFit {
  Law law;                    // fitted to all points
  double rms_residual = 0.0;  // root mean square of (law(x) - t) / t
  double bic = 0.0;           // n ln(rms_residual^2) + k ln(n); smaller is better
  // t / prediction - 1 by the law fitted without that point; in input order.
  std::vector<double> loo_errors;
  double loo_rms = 0.0;
  std::size_t worst = 0;  // index of the largest |loo_error|
};

// nullopt as fit_law, and when the law is not determined without one of the points: affine needs 3,
// two segments 7.
std::optional<LawFit> fit_with_loo(LawKind kind, std::span<const double> x,
                                   std::span<const double> t);

struct LawChoice {
  std::size_t chosen = 0;          // index into `candidates`
  std::vector<LawFit> candidates;  // those that could be fitted, simplest first

  const LawFit& best() const { return candidates[chosen]; }
};

// The kind with the smallest leave-one-out error. A more complex one must be better by a tenth, and
// two segments must also beat affine by BIC; else the simpler one stands. nullopt when not even
// affine can be judged (below 3 sizes).
std::optional<LawChoice> choose_law(std::span<const double> x, std::span<const double> t);

}  // namespace batchscope::stats
