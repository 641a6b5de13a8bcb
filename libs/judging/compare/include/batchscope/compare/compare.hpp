#pragma once

#include <optional>
#include <string>
#include <vector>

#include "batchscope/compare/comparison_options.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::compare {

struct Compared {
  std::vector<findings::Comparison> comparisons;
  std::optional<findings::Gate> gate;  // where a margin was given
  std::vector<std::string> warnings;   // of what is not compared
};

// Every contrast there is between the runs, or within the only one; and the gate, where one was
// asked for, which judges them by bounds of its own. Within one run, configurations that differ in
// one other axis than batch size are compared within blocks (paired); of several runs the same
// configurations, the first run against each other one as independent samples of visits (Welch), or
// side against side with a run as the unit. `names` has one for each run. Empty without runs.
Compared compare(const std::vector<tables::RunView>& views, const std::vector<std::string>& names,
                 const ComparisonOptions& options);

}  // namespace batchscope::compare
