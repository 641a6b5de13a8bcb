#pragma once

#include <span>
#include <string>
#include <vector>

#include "batchscope/compare/compare.hpp"

namespace batchscope::compare {

// What comparing these runs gives, called "run 1" and so on.
inline Compared compared_runs(std::span<const schema::RunFile> runs,
                              const ComparisonOptions& options = {}) {
  std::vector<tables::RunView> views;
  std::vector<std::string> names;
  for (const schema::RunFile& run : runs) {
    views.push_back(tables::view_run(run));
    names.push_back("run " + std::to_string(views.size()));
  }
  return compare(views, names, options);
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
