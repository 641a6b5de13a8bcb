#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "batchscope/base/result.hpp"

namespace batchscope::cli {

// Several runs of an old and of a new version, in place of run files that are compared one by one.
struct SideFlags {
  std::vector<std::string> baseline, candidate;
  bool in_pairs = false;

  bool any() const { return !baseline.empty() || !candidate.empty(); }
};

void add_flags(CLI::App& app, SideFlags& flags);

// All run files that were named, the baseline's first. Errors: usage (none; run files that belong
// to no side; a side without the other; pairs that do not go up).
base::Result<std::vector<std::string>> run_paths(const std::vector<std::string>& runs,
                                                 const SideFlags& sides);

}  // namespace batchscope::cli
