#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace batchscope::stats {

// What may differ between two stretches of a series.
enum class ChangeKind {
  mean,               // one spread throughout, estimated robustly from neighbouring differences
  mean_and_variance,  // each stretch has its own spread
};

struct ChangePointOptions {
  ChangeKind kind = ChangeKind::mean;
  // The shortest stretch reported (>= 1 for `mean`, >= 2 for `mean_and_variance`). Above 1 a single
  // spike is not a regime.
  std::size_t min_segment = 3;
  // Cost of a change in units of ln(n); unset: 7 for `mean`, 10 for `mean_and_variance`. Set by
  // simulation: 30 to 300 independent normal values without a change are cut in at most 1 % of
  // cases, with 2 % of spikes by 30 % among them (see the noise model) in at most 5 %. Values that
  // depend on their neighbours are cut more often.
  std::optional<double> penalty_factor;
  // Replace a value far (over 4 robust standard deviations) from the median of itself and the 3
  // values at each side by that median before the search (Hampel's filter): two neighbouring spikes
  // are no regime. The first 3 values stay as they are, because warm-up shows there. Segments
  // describe the values as given.
  bool despike = true;
};

// A stretch [first, last) without a change inside.
struct Segment {
  std::size_t first = 0;
  std::size_t last = 0;
  double mean = 0.0;
  double std = 0.0;  // divided by length - 1; 0 for a single value
};

inline constexpr std::size_t kFewestForChangePoints = 30;

// The best segmentation of a series in time order under cost + penalty, found exactly by PELT
// (Killick, Fearnhead and Eckley 2012). One segment means no change. nullopt below 30 values.
// Units: those of the values; times that scatter by a factor are better given as logarithms.
std::optional<std::vector<Segment>> find_segments(std::span<const double> series,
                                                  const ChangePointOptions& options = {});

}  // namespace batchscope::stats
