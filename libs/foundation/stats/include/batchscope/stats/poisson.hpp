#pragma once

namespace batchscope::stats {

// One-sided exact bounds on the mean of a Poisson count of which `seen` >= 0 were seen: the mean
// lies above / below with confidence `level` (Garwood 1936). Numbers that are not whole, such as
// effective ones, are interpolated. Of none, 3.0 at 95 %; the lower bound of none is 0.
double poisson_lower(double seen, double level = 0.95);
double poisson_upper(double seen, double level = 0.95);

}  // namespace batchscope::stats
