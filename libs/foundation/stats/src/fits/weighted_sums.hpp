#pragma once

#include <optional>
#include <span>
#include <vector>

namespace batchscope::stats {

struct Point {
  double x = 0.0;
  double t = 0.0;
};

// What the relative least-squares fit of a + b g, a, b >= 0, needs of some points, whatever g is of
// each: sums, so that a point or a part can be taken out without going through the others.
struct WeightedSums {
  double n = 0;                   // points
  double ww = 0, wg = 0, gg = 0;  // of 1 / t^2, g / t^2, (g / t)^2
  double w = 0, g = 0;            // of 1 / t, g / t

  void add(double of_g, double t, double sign = 1);
  WeightedSums operator-(const WeightedSums& other) const;
  // Those of g - origin.
  WeightedSums from(double origin) const;
  // Of ((a + b g) / t - 1)^2. Within rounding of 1e-16 n: not for telling exact laws apart.
  double squares_from(double a, double b) const;
};

struct Coefficients {
  double a = 0, b = 0;
};
// nullopt where fewer than two different g were added.
std::optional<Coefficients> fit_line(const WeightedSums& sums);

// Sums over parts of points in ascending order, with g = x.
class PartsOfPoints {
 public:
  explicit PartsOfPoints(std::span<const Point> points);
  WeightedSums part(std::size_t begin, std::size_t end) const { return upto_[end] - upto_[begin]; }
  // Of (max(launch, a + b x, c x) / t - 1)^2 over all points, in the time of a few binary searches.
  double squares_from_roof(double launch, Coefficients line, double c) const;

 private:
  std::size_t first_from(double x) const;  // index of the first point at or beyond x

  std::span<const Point> points_;
  std::vector<WeightedSums> upto_;
};

}  // namespace batchscope::stats
