#pragma once

#include <span>

namespace batchscope::stats {

// How far outside the bulk a value lies. A label only: nothing is ever dropped for it.
enum class Outlier { none, mild, extreme };

struct TukeyFences {
  double inner_low = 0.0;
  double inner_high = 0.0;
  double outer_low = 0.0;
  double outer_high = 0.0;

  Outlier label(double value) const;
};

// Tukey (1977): inner fences 1.5 IQR, outer fences 3 IQR beyond the quartiles (quantile(),
// definition 7). A value on a fence is inside. With fewer than 4 values quartiles say nothing: the
// fences are infinite, so no value is an outlier.
TukeyFences tukey_fences(std::span<const double> values);

}  // namespace batchscope::stats
