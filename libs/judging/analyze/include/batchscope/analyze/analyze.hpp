#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/compare/comparison_options.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/commands.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::analyze {

// What may be chosen before the data are seen, beside what tests and comparisons rest on.
struct Options : compare::ComparisonOptions {
  // How the runs are called in the output (their paths), in the order of the runs; may be shorter.
  std::vector<std::string> names = {};
  // What a recommendation has to keep to and what its gain is against; absent: as the run's plan
  // has it. A memory limit of the plan bounds the host, one given here the device of each
  // configuration: peak RSS on cpu, memory reserved on others, of all instances together.
  std::optional<double> latency_budget_s = std::nullopt;
  std::optional<schema::LatencyStatistic> latency_of = std::nullopt;  // that the budget bounds
  std::optional<int64_t> memory_limit_bytes = std::nullopt;
  std::optional<int64_t> current_batch_size = std::nullopt;
  // What a search that made the run recommends, in place of what its tables say, which hold few
  // visits of most sizes. In the order of the runs; may be shorter; absent: the tables' own.
  std::vector<std::optional<findings::Recommendation>> recommendations = {};
  // How texts call what a user can set.
  // What they type for what the answer proposes.
  findings::Commands commands = {};
};

// Everything that can be said of the runs: one scaling table for each set of configurations that
// differ in batch size only, the anomalies, the comparisons, a recommendation, and words. With one
// run, configurations that differ in one other axis are compared within blocks (paired); with
// several, the same configurations are compared across runs, the first against each other one as
// independent samples of visits (Welch), or side against side with a run as the unit, and each
// run's tables and findings are its own. Pure: the same input gives the same output. `runs` may be
// empty or hold runs without a visit: the summary then says so in its warnings.
findings::Summary analyze(std::span<const schema::RunFile> runs, const Options& options = {});

// What is told of runs: of batch sizes, causes and training.
const findings::Catalogue& kinds();

}  // namespace batchscope::analyze
