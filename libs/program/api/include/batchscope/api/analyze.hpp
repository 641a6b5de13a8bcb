#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/api/program.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::api {

struct AnalyzeOptions {
  // Names are what the runs are called, their paths.
  analyze::Options analysis{};
  // A gain below this ratio is no reason to change anything; absent: the usual floor, and for a
  // search the one that it ran with.
  std::optional<double> practical{};
  // Gates for a build server, beside that on regressions (analysis.regression_margin).
  std::optional<findings::Severity> fail_on{};  // no finding is to be as severe as this
  bool strict = false;                          // every run is to have reached its precision
};

// All that is to be said of the runs. Of one that tune() wrote also what its search came to, and
// what that recommends, unless the options ask for bounds of their own; of a single search for the
// largest batch what it found, in words. Errors: input (a search whose header tells no plan).
base::Result<findings::Summary> analyze(const Program& program,
                                        std::span<const schema::RunFile> runs,
                                        AnalyzeOptions options = {});

// Whether the run reached the precision that it was asked for; false where that cannot be told.
bool reached_target(const schema::RunFile& run);

// Whether these runs can carry a gate on regressions: a single one, in which both versions were
// measured, or at least three a side, each once. `baseline`, `candidate`: how many are of either
// side, all others of none. Errors: usage.
base::Result<void> check_regression_gate(const std::vector<std::string>& paths,
                                         std::size_t baseline, std::size_t candidate);
// Why a regression cannot be told from these runs. `what`: what stands in the way.
base::Error no_regression_gate(std::string what);

}  // namespace batchscope::api
