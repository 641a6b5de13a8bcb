#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "series/recorded.hpp"

namespace batchscope::monitor_report {

// What a loop's steps come to.
struct LoopTotals {
  int64_t first_step = 0, last_step = 0;
  size_t steps = 0;
  double seconds = 0;                            // of all steps
  double typical_seconds = 0, slow_seconds = 0;  // the median, and what 95 % do not
                                                 // exceed; 0: none is known
  std::optional<double> samples_per_second;      // where all steps told how many they had
  std::optional<double> loading_share;           // of the steps that told
  std::optional<double> first_loss, last_loss;
  size_t not_finite = 0;                    // losses
  std::optional<int64_t> first_not_finite;  // its step
};
LoopTotals totals_of(const Loop& loop);

// What a GPU drew while it was watched: by its counter, else by its power. Nothing where neither is
// told.
std::optional<double> energy_joules(const RecordedSeries& recorded, const std::string& gpu);

}  // namespace batchscope::monitor_report
