#pragma once

#include <cstddef>
#include <span>

namespace batchscope::stats {

// Share of values cut from each end.
inline constexpr double kYuenTrim = 0.2;

// Yuen's trimmed mean and its standard error as published, before any calibration (Tukey and
// McLaughlin 1963, Yuen 1974): se^2 = (n - 1) s_w^2 / (h (h - 1)) with s_w^2 the winsorized
// variance, h = n - 2 floor(trim n), df = h - 1.
struct PlainYuen {
  double trimmed_mean = 0.0;
  double se = 0.0;
  double df = 0.0;
};

// At least 2 values, in ascending order; `trim` in [0, 0.25].
PlainYuen plain_yuen(std::span<const double> ascending, double trim = kYuenTrim);

// With n values, (trimmed mean - truth) / (se_scale * se) is referred to Student's t with `df`
// degrees of freedom.
struct YuenCalibration {
  double se_scale = 1.0;
  double df = 0.0;
};

// n >= 2. Below 5 values nothing is trimmed and the answer is Student's t itself.
YuenCalibration yuen_calibration(std::size_t n);

}  // namespace batchscope::stats
