#include "law_prediction.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "batchscope/stats/law.hpp"
#include "line_fit.hpp"
#include "roofline_prediction.hpp"

namespace batchscope::tables {
namespace {

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
