// Fitting by kind, leave-one-out errors, and the choice between kinds.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "batchscope/stats/law.hpp"
#include "fit_kinds.hpp"

namespace batchscope::stats {
namespace {

constexpr std::array kSimplestFirst = {LawKind::affine, LawKind::staircase, LawKind::roofline,
                                       LawKind::two_segments};
// What a more complex law has to gain in leave-one-out error.
constexpr double kWorthIt = 0.9;
// Errors below this are rounding, not a reason to prefer one law to another.
constexpr double kExact = 1e-9;

bool usable(double value) {
  return value > 0.0 && std::isfinite(value);
}

// The points in order of x, with the input index of each; empty when the input is unusable.
struct Ordered {
  std::vector<Point> points;
  std::vector<std::size_t> input_index;
};

Ordered order_points(std::span<const double> x, std::span<const double> t) {
  Ordered ordered;
  if (x.size() != t.size() || !std::all_of(x.begin(), x.end(), usable) ||
      !std::all_of(t.begin(), t.end(), usable)) {
    return ordered;
  }
  ordered.input_index.resize(x.size());
  std::iota(ordered.input_index.begin(), ordered.input_index.end(), std::size_t{0});
  std::stable_sort(ordered.input_index.begin(), ordered.input_index.end(),
                   [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  for (const std::size_t i : ordered.input_index) ordered.points.push_back({x[i], t[i]});
  return ordered;
}

std::vector<Point> without(std::vector<Point> points, std::size_t left_out) {
  points.erase(points.begin() + static_cast<std::ptrdiff_t>(left_out));
  return points;
}

std::optional<double> loo_error(const std::optional<ScoredLaw>& fit, const Point& point) {
  if (!fit) return std::nullopt;
  const double prediction = fit->law.evaluate(point.x);
  if (!(prediction > 0.0)) return std::nullopt;
  return point.t / prediction - 1.0;
}

double parameters_of(const Law& law) {
  // A term of the roofline that is not used was not fitted either.
  if (law.kind != LawKind::roofline) return static_cast<double>(law.coefficients.size());
  const auto unused = std::count(law.coefficients.begin(), law.coefficients.end(), 0.0);
  return static_cast<double>(law.coefficients.size()) - static_cast<double>(unused);
}

double root_mean_square(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

bool larger_magnitude(double a, double b) {
  return std::abs(a) < std::abs(b);
}

LawFit describe(ScoredLaw scored, std::size_t n) {
  LawFit fit;
  const auto count = static_cast<double>(n);
  fit.rms_residual = std::sqrt(scored.sum_of_squares / count);
  const double floored = std::max(fit.rms_residual, kExact);
  fit.bic = count * std::log(floored * floored) + parameters_of(scored.law) * std::log(count);
  fit.law = std::move(scored.law);
  return fit;
}

bool allowed(const LawFit& fit, const LawFit& affine) {
  return fit.law.kind != LawKind::two_segments || fit.bic < affine.bic;
}

}  // namespace

std::optional<Law> fit_law(LawKind kind, std::span<const double> x, std::span<const double> t) {
  const Ordered ordered = order_points(x, t);
  if (ordered.points.size() < fewest_points(kind)) return std::nullopt;
  auto fit = fit_kind(kind, ordered.points);
  return fit ? std::optional(std::move(fit->law)) : std::nullopt;
}

std::optional<LawFit> fit_with_loo(LawKind kind, std::span<const double> x,
                                   std::span<const double> t) {
  const Ordered ordered = order_points(x, t);
  const std::size_t n = ordered.points.size();
  if (n < std::max<std::size_t>(3, fewest_points(kind))) return std::nullopt;
  auto scored = fit_kind(kind, ordered.points);
  if (!scored) return std::nullopt;
  LawFit fit = describe(std::move(*scored), n);
  fit.loo_errors.resize(n);
  std::optional<Staircases> staircases;
  if (kind == LawKind::staircase) staircases.emplace(ordered.points);
  for (std::size_t i = 0; i < n; ++i) {
    const Point point = ordered.points[i];
    const auto others = without(ordered.points, i);
    const auto error =
        loo_error(staircases ? staircases->fit(others, point) : fit_kind(kind, others), point);
    if (!error) return std::nullopt;
    fit.loo_errors[ordered.input_index[i]] = *error;
  }
  fit.loo_rms = root_mean_square(fit.loo_errors);
  const auto worst =
      std::max_element(fit.loo_errors.begin(), fit.loo_errors.end(), larger_magnitude);
  fit.worst = static_cast<std::size_t>(worst - fit.loo_errors.begin());
  return fit;
}

std::optional<LawChoice> choose_law(std::span<const double> x, std::span<const double> t) {
  LawChoice choice;
  for (const LawKind kind : kSimplestFirst) {
    auto fit = fit_with_loo(kind, x, t);
    if (fit) choice.candidates.push_back(std::move(*fit));
  }
  if (choice.candidates.empty() || choice.candidates[0].law.kind != LawKind::affine) {
    return std::nullopt;
  }
  for (std::size_t i = 1; i < choice.candidates.size(); ++i) {
    const LawFit& candidate = choice.candidates[i];
    const double to_beat = choice.best().loo_rms;
    const bool better = to_beat > kExact && candidate.loo_rms < kWorthIt * to_beat;
    if (better && allowed(candidate, choice.candidates[0])) choice.chosen = i;
  }
  return choice;
}

}  // namespace batchscope::stats
