#pragma once

#include <cstddef>
#include <string>

#include "batchscope/findings/summary.hpp"
#include "batchscope/findings/version_comparison.hpp"

namespace batchscope::compare {

// The two sides of several runs. Without runs of an old version, a single run measured both, and
// they are called as it calls them.
struct VersionSides {
  std::string old_name{}, new_name{};
  std::size_t old_runs = 0, new_runs = 0;
};

// Whether there are runs of either side, and too few of them to be tested.
bool has_too_few_runs(const VersionSides& sides);

// What the gate on regressions and the comparisons of a summary come to, taken together: nothing is
// tested here. `summary` has such a gate, with checks; its warnings are left out.
//   slower       a check failed
//   cannot_tell  else, a check is inconclusive
//   equal        else, all bounds lie within the margin, either way (two one-sided tests,
//   Schuirmann
//                1987)
//   faster       else, a comparison is significant, in the family of all of them
findings::VersionComparison version_comparison(const findings::Summary& summary,
                                               const VersionSides& sides = {});

}  // namespace batchscope::compare
