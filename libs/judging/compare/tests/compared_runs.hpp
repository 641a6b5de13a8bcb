#pragma once

#include <span>
#include <string>
#include <vector>

#include "batchscope/compare/compare.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::compare {

// What comparing these runs gives, called "run 1" and so on.
inline Compared compared_runs(std::span<const schema::RunFile> runs,
                              const ComparisonOptions& options = {}) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= runs.size(); ++i) names.push_back("run " + std::to_string(i));
  return compare(tables::view_runs(runs), names, options);
}

inline Compared compared_run(const schema::RunFile& run, const ComparisonOptions& options = {}) {
  return compared_runs(std::span(&run, 1), options);
}

inline ComparisonOptions with_margin(double margin) {
  ComparisonOptions options;
  options.regression_margin = margin;
  return options;
}

}  // namespace batchscope::compare
