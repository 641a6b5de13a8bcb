#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "batchscope/api/program.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/findings/version_comparison.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::api {

// What a slow-down has to be over, where nobody asks for another margin.
inline constexpr double kVersionMargin = 0.02;

struct CompareOptions {
  // So many of the first runs are the old version's, the rest the new one's. 0: a single run
  // measured both, in which an axis tells versions apart (models, environments).
  std::size_t old_runs = 0;
  bool in_pairs = false;               // the k-th run of either side was measured with the other's
  std::string old_name{}, new_name{};  // of the sides
  std::vector<std::string> names{};    // of the runs: their paths
  double margin = kVersionMargin;
  double level = 0.95;
};

struct ComparedVersions {
  findings::VersionComparison versions{};
  // What that rests on, led by the same answer, with the sides by their names: for a page.
  findings::Summary summary{};
};

// Whether a new version is slower than an old one: analyze() with its gate on regressions, as one
// answer. Fewer than three runs a side are described, and tell nothing but what fails. Warns of
// machines that differ. Errors: usage (nothing that could be compared), and those of analyze.
base::Result<ComparedVersions> compare(const Program& program,
                                       std::span<const schema::RunFile> runs,
                                       const CompareOptions& options);

}  // namespace batchscope::api
