#include "law_prediction.hpp"

#include <cmath>
#include <limits>

#include "line_fit.hpp"
#include "roofline_prediction.hpp"

namespace batchscope::analyze {
namespace {

std::optional<LawPrediction> predict_affine(const Curve& curve, SizeSet fitted,
                                            std::size_t target) {
  const auto line = fit_line(curve.sizes, curve.times, fitted);
  if (!line) return std::nullopt;
  return read_off(*line, curve.sizes, curve.times, fitted, curve.sizes[target]);
}

std::optional<LawPrediction> predict_staircase(const Curve& curve, SizeSet fitted,
                                               std::size_t target) {
  std::optional<LawPrediction> best;
  double best_error = std::numeric_limits<double>::infinity();
  std::array<double, kMaxSizes> steps{};
  const auto n = curve.sizes.size();
  const std::span<const double> x(steps.data(), n);
  for (double q = stats::kNarrowestStaircase; q < curve.sizes.back();
       q = stats::next_staircase_width(q)) {
    for (std::size_t i = 0; i < n; ++i) steps[i] = std::ceil(curve.sizes[i] / q);
    const auto line = fit_line(x, curve.times, fitted);
    if (!line) continue;
    const double error = relative_error(*line, x, curve.times, fitted);
    if (error >= best_error) continue;
    best_error = error;
    best = read_off(*line, x, curve.times, fitted, steps[target]);
  }
  return best;
}

}  // namespace

std::optional<LawPrediction> predict(stats::LawKind kind, const Curve& curve, SizeSet fitted,
                                     std::size_t target) {
  switch (kind) {
    case stats::LawKind::affine:
      return predict_affine(curve, fitted, target);
    case stats::LawKind::staircase:
      return predict_staircase(curve, fitted, target);
    case stats::LawKind::roofline:
      return predict_roofline(curve, fitted, target);
    case stats::LawKind::two_segments:
      break;
  }
  return std::nullopt;
}

}  // namespace batchscope::analyze
