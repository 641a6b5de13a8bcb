#pragma once

#include <span>
#include <vector>

#include "batchscope/tables/run_view.hpp"
#include "comparisons/open_comparison.hpp"

namespace batchscope::compare {

inline constexpr const char* kBaselineSide = "baseline";
inline constexpr const char* kCandidateSide = "candidate";

// Several runs of either side.
struct RunSides {
  std::span<const tables::RunView> baseline, candidate;
  bool in_pairs = false;  // the k-th run of one side belongs to the k-th of the other
  // Either side has one model: its name is that of the side, and may differ.
  bool one_model = false;
};

// `baseline_runs` of the first views are the baseline, all others the candidate.
RunSides sides_of(std::span<const tables::RunView> views, std::size_t baseline_runs, bool in_pairs);

// What a configuration of the baseline is called on the other side: the same but for the model,
// where either side has one.
bool is_counterpart(const RunSides& sides, const schema::RunConfig& base,
                    const schema::RunConfig& other);

// Each configuration of the baseline against its counterpart. Inference is over runs: a run's value
// is one number a configuration, the mean over its visits of ln of their times (or the trimmed
// mean); then Welch's test over runs, or with pairs Student's over their differences. How far
// visits scatter within a run does not enter.
std::vector<Open> compare_sides(const RunSides& sides, const tables::TestOptions& options);

}  // namespace batchscope::compare
