#include "law_prediction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "batchscope/stats/law.hpp"
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
  FittedLine line;
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
std::optional<FittedLine> tangent(const Curve& curve, const Parts& parts, std::size_t at) {
  if (at == 0 || at + 1 >= parts.n) return std::nullopt;
  const std::size_t i = parts.index[at - 1], j = parts.index[at], k = parts.index[at + 1];
  const auto slope = [&](std::size_t from, std::size_t to) {
    return (curve.times[to] - curve.times[from]) / (curve.sizes[to] - curve.sizes[from]);
  };
  const double x = curve.sizes[j];
  const double t = curve.times[j];
  const double b = std::clamp((slope(i, j) + slope(j, k)) / 2, 0.0, t / x);
  const double a = t - b * x;
  return FittedLine{a, b, {t * t, 0, 0}, a, b};
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

// max(launch, a + b x, c x), every way to cut the sizes into these branches tried, one size enough
// for a branch.
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

std::optional<LawPrediction> predict_affine(const Curve& curve, SizeSet fitted,
                                            std::size_t target) {
  const auto line = fit_line(curve.sizes, curve.times, fitted);
  if (!line) return std::nullopt;
  return read_off(*line, curve.sizes, curve.times, fitted, curve.sizes[target]);
}

// Laws that are affine in a function of the size: the best of those tried.
struct BestLine {
  std::optional<LawPrediction> prediction;
  double error = std::numeric_limits<double>::infinity();

  template <class Warp>
  void try_warp(const Curve& curve, SizeSet fitted, std::size_t target, Warp warp) {
    std::array<double, kMaxSizes> warped{};
    const auto n = curve.sizes.size();
    const std::span<const double> x(warped.data(), n);
    for (std::size_t i = 0; i < n; ++i) warped[i] = warp(curve.sizes[i]);
    const auto line = fit_line(x, curve.times, fitted);
    if (!line) return;
    const double its_error = relative_error(*line, x, curve.times, fitted);
    if (its_error >= error) return;
    error = its_error;
    prediction = read_off(*line, x, curve.times, fitted, warped[target]);
  }
};

std::optional<LawPrediction> predict_staircase(const Curve& curve, SizeSet fitted,
                                               std::size_t target) {
  BestLine best;
  for (double q = stats::kNarrowestStaircase; q < curve.sizes.back();
       q = stats::next_staircase_width(q)) {
    best.try_warp(curve, fitted, target, [q](double x) { return std::ceil(x / q); });
  }
  return best.prediction;
}

std::optional<LawPrediction> predict_cache_step(const Curve& curve, SizeSet fitted,
                                                std::size_t target) {
  constexpr std::array kSteepness = {1.5, 3.0, 6.0};  // of the logistic curve, per octave
  constexpr double kLargestRise = 0.6, kRiseStep = 0.05, kOctaveStep = 0.25;
  BestLine best;
  const double last = std::log2(curve.sizes.back());
  for (double middle = std::log2(curve.sizes.front()); middle <= last; middle += kOctaveStep) {
    for (const double steepness : kSteepness) {
      for (double rise = kRiseStep; rise <= kLargestRise; rise += kRiseStep) {
        best.try_warp(curve, fitted, target, [&](double x) {
          return x * (1 + rise / (1 + std::exp(-steepness * (std::log2(x) - middle))));
        });
      }
    }
  }
  return best.prediction;
}

}  // namespace

std::optional<LawPrediction> predict(CurveLaw law, const Curve& curve, SizeSet fitted,
                                     std::size_t target) {
  switch (law) {
    case CurveLaw::affine:
      return predict_affine(curve, fitted, target);
    case CurveLaw::staircase:
      return predict_staircase(curve, fitted, target);
    case CurveLaw::roofline:
      return predict_roofline(curve, fitted, target);
    case CurveLaw::cache_step:
      return predict_cache_step(curve, fitted, target);
  }
  return std::nullopt;
}

}  // namespace batchscope::tables
