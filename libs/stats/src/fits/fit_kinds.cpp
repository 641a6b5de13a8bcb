#include "fit_kinds.hpp"

#include <cmath>

#include "nnls.hpp"

namespace batchscope::stats {
namespace {

constexpr std::size_t kFewestInRooflinePiece = 2;
constexpr std::size_t kFewestInSegment = 3;

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

std::optional<ScoredLaw> fit_staircase(std::span<const Point> points) {
  std::optional<ScoredLaw> best;
  for (double q = kNarrowestStaircase; q < points.back().x; q = next_staircase_width(q)) {
    const auto line = fit_line(points, [q](double x) { return std::ceil(x / q); });
    if (!line) continue;
    keep_better(best, {{LawKind::staircase, {line->a, line->b, q}}, line->sum_of_squares});
  }
  return best;
}

std::optional<ScoredLaw> fit_roofline(std::span<const Point> points) {
  std::optional<ScoredLaw> best;
  const std::size_t n = points.size();
  for (std::size_t launch_end = 0; launch_end <= n; ++launch_end) {
    for (std::size_t comp_begin = launch_end; comp_begin <= n; ++comp_begin) {
      if (!valid_piece(launch_end) || !valid_piece(comp_begin - launch_end) ||
          !valid_piece(n - comp_begin)) {
        continue;
      }
      auto candidate = fit_roofline_pieces(points, launch_end, comp_begin);
      if (candidate) keep_better(best, std::move(*candidate));
    }
  }
  return best;
}

std::optional<ScoredLaw> fit_two_segments(std::span<const Point> points) {
  std::optional<ScoredLaw> best;
  for (std::size_t cut = kFewestInSegment; cut + kFewestInSegment <= points.size(); ++cut) {
    const auto before = fit_line(points.first(cut));
    const auto after = fit_line_from_first(points.subspan(cut));
    if (!before || !after || points[cut - 1].x == points[cut].x) continue;
    Law law{LawKind::two_segments, {before->a, before->b, points[cut - 1].x, after->a, after->b}};
    keep_better(best, {std::move(law), before->sum_of_squares + after->sum_of_squares});
  }
  return best;
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
