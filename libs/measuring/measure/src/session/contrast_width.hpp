#pragma once

#include <optional>
#include <vector>

#include "batchscope/measure/observer.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/width_outlook.hpp"

namespace batchscope::measure {

// What has to be known well enough: a configuration against the smallest batch size of its group,
// paired within blocks; or, where a group has one size only, its own time.
struct ContrastWidth {
  int config = 0;
  int n = 0;              // blocks that have both
  double half_width = 0;  // of the 95 % interval, ln; infinite below two blocks
};

// Of the visits that count in the first `blocks` blocks, with their common warm-up. `configs`:
// those that take part.
std::vector<ContrastWidth> contrast_widths(const schema::RunFile& run,
                                           const std::vector<int>& configs, int blocks);

// What is known of each of `configs`.
std::vector<ConfigEstimate> estimates(const schema::RunFile& run, const std::vector<int>& configs);

bool all_within(const std::vector<ContrastWidth>& widths, double target);

// How many blocks the contrasts of a pilot of `blocks` say are needed in all, since a half-width
// falls with the root of the number: at least `blocks`. A contrast without an interval says
// nothing.
int blocks_needed(const std::vector<ContrastWidth>& widths, int blocks, double target);

// How wide the widest contrast will be after `blocks` in all, from what its visits scattered so
// far. Nothing while a contrast has fewer than three blocks. `at_least` holds for all of them at
// once in 999 of 1000 runs.
std::optional<stats::WidthOutlook> outlook(const std::vector<ContrastWidth>& widths, int blocks);

}  // namespace batchscope::measure
