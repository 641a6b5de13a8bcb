#include "roofline_prediction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "line_fit.hpp"

namespace batchscope::tables {
namespace {

std::size_t count_of(SizeSet set) {
  return static_cast<std::size_t>(__builtin_popcount(set));
}

// The columns of `set` in ascending order, cut into consecutive parts.
struct Parts {
  std::array<std::size_t, kMaxSizes> index{};
  std::size_t n = 0;
  explicit Parts(SizeSet set) {
    for (std::size_t i = 0; i < kMaxSizes; ++i) {
      if (holds(set, i)) index[n++] = i;
    }
  }
  SizeSet range(std::size_t from, std::size_t to) const {
    SizeSet set = 0;
    for (std::size_t i = from; i < to; ++i) set |= 1u << index[i];
    return set;
  }
};

struct Branch {
  Line line;
  SizeSet set = 0;
};

struct Roofline {
  std::array<Branch, 3> branches;
  std::size_t n = 0;

  const Branch& active(double x) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < n; ++i) {
      if (branches[i].line.at(x) > branches[best].line.at(x)) best = i;
    }
    return branches[best];
  }
};

// A branch with one size: any line through it that stays below its neighbours will do.
std::optional<Line> tangent(const Curve& curve, const Parts& parts, std::size_t at) {
  if (at == 0 || at + 1 >= parts.n) return std::nullopt;
  const std::size_t i = parts.index[at - 1], j = parts.index[at], k = parts.index[at + 1];
  const auto slope = [&](std::size_t from, std::size_t to) {
    return (curve.times[to] - curve.times[from]) / (curve.sizes[to] - curve.sizes[from]);
  };
  const double x = curve.sizes[j];
  const double t = curve.times[j];
  const double b = std::clamp((slope(i, j) + slope(j, k)) / 2, 0.0, t / x);
  const double a = t - b * x;
  return Line{a, b, {t * t, 0, 0}, a, b};
}

// Sizes below `launch_end` on the launch floor, from `compute_begin` on through the origin, between
// them on a line. nullopt unless each branch in use has two sizes.
std::optional<Roofline> fit_roofline(const Curve& curve, const Parts& parts, std::size_t launch_end,
                                     std::size_t compute_begin) {
  Roofline roof;
  if (launch_end > 0) {
    const SizeSet set = parts.range(0, launch_end);
    roof.branches[roof.n++] = {fit_constant(curve.sizes, curve.times, set), set};
  }
  if (compute_begin > launch_end) {
    const SizeSet set = parts.range(launch_end, compute_begin);
    const auto line = count_of(set) == 1 ? tangent(curve, parts, launch_end)
                                         : fit_line(curve.sizes, curve.times, set);
    if (!line) return std::nullopt;
    roof.branches[roof.n++] = {*line, set};
  }
  if (compute_begin < parts.n) {
    const SizeSet set = parts.range(compute_begin, parts.n);
    roof.branches[roof.n++] = {fit_through_origin(curve.sizes, curve.times, set), set};
  }
  return roof;
}

}  // namespace

std::optional<LawPrediction> predict_roofline(const Curve& curve, SizeSet fitted,
                                              std::size_t target) {
  const Parts parts(fitted);
  std::optional<Roofline> best;
  double best_error = std::numeric_limits<double>::infinity();
  for (std::size_t low = 0; low <= parts.n; ++low) {
    for (std::size_t high = low; high <= parts.n; ++high) {
      const auto roof = fit_roofline(curve, parts, low, high);
      if (!roof) continue;
      double error = 0;
      for (std::size_t i = 0; i < parts.n; ++i) {
        const std::size_t s = parts.index[i];
        const double x = curve.sizes[s];
        error += std::pow(1 - roof->active(x).line.at(x) / curve.times[s], 2);
      }
      if (error < best_error) {
        best_error = error;
        best = roof;
      }
    }
  }
  if (!best) return std::nullopt;
  const double x = curve.sizes[target];
  const Branch& branch = best->active(x);
  return read_off(branch.line, curve.sizes, curve.times, branch.set, x);
}

}  // namespace batchscope::tables
