#include "line_fit.hpp"

#include <cmath>

namespace batchscope::tables {
namespace {

// One coefficient only, the other held at 0 from the start.
FittedLine fit_single(std::span<const double> x, std::span<const double> t, SizeSet set,
                      bool constant) {
  double square = 0, sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!holds(set, i)) continue;
    const double w = (constant ? 1 : x[i]) / t[i];
    square += w * w;
    sum += w;
  }
  if (constant) return FittedLine{sum / square, 0, {1 / square, 0, 0}, sum / square, 0};
  return FittedLine{0, sum / square, {0, 0, 1 / square}, 0, sum / square};
}

}  // namespace

std::optional<FittedLine> fit_line(std::span<const double> x, std::span<const double> t,
                                   SizeSet set) {
  double uu = 0, uv = 0, vv = 0, u = 0, v = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!holds(set, i)) continue;
    const double ui = 1 / t[i];
    const double vi = x[i] / t[i];
    uu += ui * ui;
    uv += ui * vi;
    vv += vi * vi;
    u += ui;
    v += vi;
  }
  const double determinant = uu * vv - uv * uv;
  if (!(determinant > 1e-12 * uu * vv)) return std::nullopt;
  FittedLine line{(vv * u - uv * v) / determinant,
                  (uu * v - uv * u) / determinant,
                  {vv / determinant, -uv / determinant, uu / determinant},
                  0,
                  0};
  // The sums of the free fit stay: where a coefficient is held at 0 its uncertainty is not gone.
  line.free_a = line.a;
  line.free_b = line.b;
  if (line.a < 0) {
    line.a = 0;
    line.b = v / vv;
  } else if (line.b < 0) {
    line.a = u / uu;
    line.b = 0;
  }
  return line;
}

FittedLine fit_constant(std::span<const double> x, std::span<const double> t, SizeSet set) {
  return fit_single(x, t, set, true);
}

FittedLine fit_through_origin(std::span<const double> x, std::span<const double> t, SizeSet set) {
  return fit_single(x, t, set, false);
}

LawPrediction read_off(const FittedLine& line, std::span<const double> x, std::span<const double> t,
                       SizeSet set, double at) {
  LawPrediction prediction;
  const double value = line.free_a + line.free_b * at;
  prediction.log_time = std::log(line.at(at));
  const double row_a = line.inverse[0] + at * line.inverse[1];
  const double row_b = line.inverse[1] + at * line.inverse[2];
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (holds(set, i)) prediction.gradient[i] = (row_a + row_b * x[i]) / t[i] / value;
  }
  return prediction;
}

double relative_error(const FittedLine& line, std::span<const double> x, std::span<const double> t,
                      SizeSet set) {
  double error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (holds(set, i)) error += std::pow(1 - line.at(x[i]) / t[i], 2);
  }
  return error;
}

}  // namespace batchscope::tables
