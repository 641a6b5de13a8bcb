#include "weighted_sums.hpp"

#include <algorithm>
#include <array>

namespace batchscope::stats {
namespace {

// Where the determinant is this small a share of its terms, the points have one g.
constexpr double kSingular = 1e-13;

struct Branch {
  double a, b;
};

// Where the second is equal to the first; they have different slopes.
double crossing(const Branch& first, const Branch& second) {
  return (first.a - second.a) / (second.b - first.b);
}

}  // namespace

void WeightedSums::add(double of_g, double t, double sign) {
  const double weight = 1 / t, weighted = of_g / t;
  n += sign;
  ww += sign * weight * weight;
  wg += sign * weight * weighted;
  gg += sign * weighted * weighted;
  w += sign * weight;
  g += sign * weighted;
}

WeightedSums WeightedSums::operator-(const WeightedSums& other) const {
  return {n - other.n, ww - other.ww, wg - other.wg, gg - other.gg, w - other.w, g - other.g};
}

WeightedSums WeightedSums::from(double origin) const {
  return {n, ww, wg - origin * ww, gg - 2 * origin * wg + origin * origin * ww, w, g - origin * w};
}

double WeightedSums::squares_from(double a, double b) const {
  return n - 2 * (a * w + b * g) + a * a * ww + 2 * a * b * wg + b * b * gg;
}

std::optional<Coefficients> fit_line(const WeightedSums& sums) {
  const double determinant = sums.ww * sums.gg - sums.wg * sums.wg;
  if (!(determinant > kSingular * sums.ww * sums.gg)) return std::nullopt;
  const double a = (sums.w * sums.gg - sums.g * sums.wg) / determinant;
  const double b = (sums.g * sums.ww - sums.w * sums.wg) / determinant;
  if (a < 0) return Coefficients{0, sums.g / sums.gg};
  if (b < 0) return Coefficients{sums.w / sums.ww, 0};
  return Coefficients{a, b};
}

PartsOfPoints::PartsOfPoints(std::span<const Point> points) : points_(points) {
  upto_.reserve(points.size() + 1);
  WeightedSums sums;
  upto_.push_back(sums);
  for (const Point& point : points) {
    sums.add(point.x, point.t);
    upto_.push_back(sums);
  }
}

std::size_t PartsOfPoints::first_from(double x) const {
  const auto at = std::lower_bound(points_.begin(), points_.end(), x,
                                   [](const Point& point, double from) { return point.x < from; });
  return static_cast<std::size_t>(at - points_.begin());
}

double PartsOfPoints::squares_from_roof(double launch, Coefficients line, double c) const {
  // The largest of lines in ascending order of slope is one after the other: the upper envelope.
  std::array<Branch, 3> branches{{{launch, 0}, {line.a, line.b}, {0, c}}};
  std::sort(branches.begin(), branches.end(), [](const Branch& first, const Branch& second) {
    return first.b != second.b ? first.b < second.b : first.a < second.a;
  });
  std::array<Branch, 3> roof{};
  std::array<double, 3> from{};
  std::size_t used = 0;
  for (const Branch& branch : branches) {
    while (used > 0) {
      const Branch& last = roof[used - 1];
      const bool hides_all = branch.b == last.b;  // and is not below it
      if (!hides_all && crossing(last, branch) > from[used - 1]) break;
      --used;
    }
    from[used] = used == 0 ? 0 : crossing(roof[used - 1], branch);
    roof[used++] = branch;
  }
  double squares = 0;
  for (std::size_t i = 0; i < used; ++i) {
    const std::size_t begin = i == 0 ? 0 : first_from(from[i]);
    const std::size_t end = i + 1 == used ? points_.size() : first_from(from[i + 1]);
    if (end > begin) squares += part(begin, end).squares_from(roof[i].a, roof[i].b);
  }
  return squares;
}

}  // namespace batchscope::stats
