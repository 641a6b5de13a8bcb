#include "fit_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nnls.hpp"
#include "weighted_sums.hpp"

namespace batchscope::stats {
namespace {

constexpr std::size_t kFewestInRooflinePiece = 2;
constexpr std::size_t kFewestInSegment = 3;
// Up to so many points every way to cut them into a roofline is tried; of more, so many cuts spread
// over them, and then those around the best, closer and closer.
constexpr std::size_t kMostCuts = 32;
// Scores from sums tell no closer, a point; and as many as that are worked out exactly, at most.
constexpr double kRounding = 1e-14;
constexpr std::size_t kMostExact = 64;

struct Line {
  double a = 0.0;
  double b = 0.0;
  double sum_of_squares = 0.0;
};

// Best a + b g(x), a, b >= 0, by relative least squares. Two different g(x) are needed to tell a
// from b.
template <class Regressor>
std::optional<Line> fit_line(std::span<const Point> points, Regressor g) {
  if (points.size() < 2 || g(points.front().x) == g(points.back().x)) return std::nullopt;
  std::vector<Equation> equations;
  equations.reserve(points.size());
  for (const Point& point : points) {
    equations.push_back({{1.0 / point.t, g(point.x) / point.t, 0.0}, 1.0});
  }
  const auto solution = solve_non_negative(equations, 2);
  if (!solution) return std::nullopt;
  return Line{solution->coefficients[0], solution->coefficients[1], solution->sum_of_squares};
}

std::optional<Line> fit_line(std::span<const Point> points) {
  return fit_line(points, [](double x) { return x; });
}

// Best multiple of g(x) by relative least squares.
template <class Regressor>
double fit_multiple(std::span<const Point> points, Regressor g) {
  double of_target = 0.0;
  double of_itself = 0.0;
  for (const Point& point : points) {
    const double ratio = g(point.x) / point.t;
    of_target += ratio;
    of_itself += ratio * ratio;
  }
  return of_itself > 0.0 ? of_target / of_itself : 0.0;
}

double score(const Law& law, std::span<const Point> points) {
  double sum = 0.0;
  for (const Point& point : points) {
    const double relative = law.evaluate(point.x) / point.t - 1.0;
    sum += relative * relative;
  }
  return sum;
}

void keep_better(std::optional<ScoredLaw>& best, ScoredLaw candidate) {
  if (!best || candidate.sum_of_squares < best->sum_of_squares) best = std::move(candidate);
}

template <class Candidate>
struct Scored {
  Candidate candidate;
  double squares = 0;
};

// The best by `exact` of those that are the best by their scores, or may be but for rounding.
template <class Candidate, class Exact>
std::optional<ScoredLaw> best_of(std::span<const Scored<Candidate>> tried, std::size_t n,
                                 Exact exact) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& each : tried) least = std::min(least, each.squares);
  std::optional<ScoredLaw> best;
  std::size_t left = kMostExact;
  for (const auto& each : tried) {
    if (left == 0 || each.squares > least + kRounding * static_cast<double>(n)) continue;
    --left;
    if (auto law = exact(each.candidate)) keep_better(best, std::move(*law));
  }
  return best;
}

bool valid_piece(std::size_t length) {
  return length == 0 || length >= kFewestInRooflinePiece;
}

// The roofline whose first `launch_end` points are bound by launches, those from `comp_begin` by
// computing, and those between by memory.
std::optional<ScoredLaw> fit_roofline_pieces(std::span<const Point> points, std::size_t launch_end,
                                             std::size_t comp_begin) {
  const auto memory_points = points.subspan(launch_end, comp_begin - launch_end);
  Line memory;
  if (!memory_points.empty()) {
    const auto line = fit_line(memory_points);
    if (!line) return std::nullopt;
    memory = *line;
  }
  const double launch = fit_multiple(points.first(launch_end), [](double) { return 1.0; });
  const double comp = fit_multiple(points.subspan(comp_begin), [](double x) { return x; });
  Law law{LawKind::roofline, {launch, memory.a, memory.b, comp}};
  const double sum_of_squares = score(law, points);
  return ScoredLaw{std::move(law), sum_of_squares};
}

// Where one branch of a roofline ends and the next begins, as in fit_roofline_pieces.
struct Cuts {
  std::size_t launch_end = 0, comp_begin = 0;
};

class RooflineSearch {
 public:
  explicit RooflineSearch(std::span<const Point> points)
      : points_(points),
        parts_(points),
        step_(std::max<std::size_t>(1, (points.size() + kMostCuts - 1) / kMostCuts)) {}

  std::optional<ScoredLaw> fit() {
    const std::size_t n = points_.size();
    for (std::size_t low = 0; low <= n; low = next(low)) {
      for (std::size_t high = low; high <= n; high = next(high)) try_cuts({low, high});
    }
    for (std::size_t step = step_ / 2; step > 0; step /= 2) {
      while (is_improved_around(step)) {
      }
    }
    return best_of<Cuts>(tried_, n, [&](Cuts cuts) {
      return fit_roofline_pieces(points_, cuts.launch_end, cuts.comp_begin);
    });
  }

 private:
  // The end is among them, whatever the step is; n + 1 is behind it.
  std::size_t next(std::size_t cut) const {
    const std::size_t n = points_.size();
    return cut == n ? n + 1 : std::min(cut + step_, n);
  }

  bool is_improved_around(std::size_t step) {
    if (tried_.empty()) return false;
    const auto at = static_cast<std::ptrdiff_t>(step);
    const std::size_t before = best_;
    const Cuts best = tried_[best_].candidate;
    for (const std::ptrdiff_t low : {-at, std::ptrdiff_t{0}, at}) {
      for (const std::ptrdiff_t high : {-at, std::ptrdiff_t{0}, at}) {
        if (low == 0 && high == 0) continue;
        // Below 0 it is huge, which is refused as well.
        try_cuts({best.launch_end + static_cast<std::size_t>(low),
                  best.comp_begin + static_cast<std::size_t>(high)});
      }
    }
    return best_ != before;
  }

  void try_cuts(Cuts cuts) {
    const auto [low, high] = cuts;
    const std::size_t n = points_.size();
    if (low > n || high > n || low > high) return;
    if (!valid_piece(low) || !valid_piece(high - low) || !valid_piece(n - high)) return;
    Coefficients memory;
    if (high > low) {
      const auto line = fit_line(parts_.part(low, high));
      if (!line) return;
      memory = *line;
    }
    const WeightedSums launch = parts_.part(0, low), comp = parts_.part(high, n);
    tried_.push_back({cuts, parts_.squares_from_roof(low > 0 ? launch.w / launch.ww : 0, memory,
                                                     high < n ? comp.g / comp.gg : 0)});
    if (tried_.back().squares < tried_[best_].squares) best_ = tried_.size() - 1;
  }

  std::span<const Point> points_;
  PartsOfPoints parts_;
  std::size_t step_;
  std::vector<Scored<Cuts>> tried_;
  std::size_t best_ = 0;  // of tried_
};

// A line beyond a break: it may start below 0 at x = 0, but neither its value at its first point
// nor its slope may be negative, so it is fitted from there.
std::optional<Line> fit_line_from_first(std::span<const Point> points) {
  const double origin = points.front().x;
  auto line = fit_line(points, [origin](double x) { return x - origin; });
  if (line) line->a -= line->b * origin;
  return line;
}

}  // namespace

double next_staircase_width(double q) {
  // A wave of tiles need not hold a whole number of samples.
  if (q < 8.0) return q + 0.25;
  if (q < 64.0) return q + 1.0;
  return q + std::ldexp(1.0, std::ilogb(q) - 4);
}

std::optional<ScoredLaw> fit_affine(std::span<const Point> points) {
  const auto line = fit_line(points);
  if (!line) return std::nullopt;
  return ScoredLaw{{LawKind::affine, {line->a, line->b}}, line->sum_of_squares};
}

Staircases::Staircases(std::span<const Point> points) {
  for (double q = kNarrowestStaircase; q < points.back().x; q = next_staircase_width(q)) {
    WeightedSums sums;
    for (const Point& point : points) sums.add(std::ceil(point.x / q), point.t);
    widths_.push_back({q, sums});
  }
}

std::optional<ScoredLaw> Staircases::fit(std::span<const Point> points,
                                         std::optional<Point> left_out) const {
  std::vector<Scored<double>> tried;
  for (auto [q, sums] : widths_) {
    if (q >= points.back().x) break;
    if (left_out) sums.add(std::ceil(left_out->x / q), left_out->t, -1);
    if (const auto line = fit_line(sums)) {
      tried.push_back({q, sums.squares_from(line->a, line->b)});
    }
  }
  return best_of<double>(tried, points.size(), [&](double q) -> std::optional<ScoredLaw> {
    const auto line = fit_line(points, [q](double x) { return std::ceil(x / q); });
    if (!line) return std::nullopt;
    return ScoredLaw{{LawKind::staircase, {line->a, line->b, q}}, line->sum_of_squares};
  });
}

std::optional<ScoredLaw> fit_staircase(std::span<const Point> points) {
  return Staircases(points).fit(points);
}

std::optional<ScoredLaw> fit_roofline(std::span<const Point> points) {
  return RooflineSearch(points).fit();
}

std::optional<ScoredLaw> fit_two_segments(std::span<const Point> points) {
  const PartsOfPoints parts(points);
  std::vector<Scored<std::size_t>> tried;
  for (std::size_t cut = kFewestInSegment; cut + kFewestInSegment <= points.size(); ++cut) {
    if (points[cut - 1].x == points[cut].x) continue;
    const WeightedSums first = parts.part(0, cut);
    const WeightedSums second = parts.part(cut, points.size()).from(points[cut].x);
    const auto before = fit_line(first), after = fit_line(second);
    if (!before || !after) continue;
    tried.push_back(
        {cut, first.squares_from(before->a, before->b) + second.squares_from(after->a, after->b)});
  }
  return best_of<std::size_t>(
      tried, points.size(), [&](std::size_t cut) -> std::optional<ScoredLaw> {
        const auto before = fit_line(points.first(cut));
        const auto after = fit_line_from_first(points.subspan(cut));
        if (!before || !after) return std::nullopt;
        return ScoredLaw{
            {LawKind::two_segments, {before->a, before->b, points[cut - 1].x, after->a, after->b}},
            before->sum_of_squares + after->sum_of_squares};
      });
}

std::optional<ScoredLaw> fit_kind(LawKind kind, std::span<const Point> points) {
  switch (kind) {
    case LawKind::affine:
      return fit_affine(points);
    case LawKind::staircase:
      return fit_staircase(points);
    case LawKind::roofline:
      return fit_roofline(points);
    case LawKind::two_segments:
      return fit_two_segments(points);
  }
  return std::nullopt;
}

}  // namespace batchscope::stats
