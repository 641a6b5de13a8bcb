#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batchscope/base/subject.hpp"
#include "batchscope/findings/floors.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/mean_estimate.hpp"

namespace batchscope::analyze {

// What may be chosen before the data are seen; ratios are plain numbers (0.03 = 3 %).
struct Options {
  // Of printed intervals; 1 - level is also the error rate of the run's family of claims.
  double level = 0.95;
  // Differences up to here are not worth a claim: dominance and departure must exceed it.
  double delta = 0.03;
  // Less gain than this is no reason to change anything: no advice, no claim of a gain.
  double practical = findings::kPractical;
  // Of comparisons and the intervals beside them. The scaling table uses Student's t, whose centre
  // is the mean that defines a configuration's time, and so do the tests across batch sizes, on
  // tables whose spikes are moved in.
  stats::Method method = stats::kDefaultMethod;
  // How the runs are called in the output (their paths), in the order of the runs; may be shorter.
  std::vector<std::string> names = {};
  // What a recommendation has to keep to and what its gain is against; absent: as the run's plan
  // has it. A memory limit of the plan bounds the host, one given here the device of each
  // configuration: peak RSS on cpu, memory reserved on others, of all instances together.
  std::optional<double> latency_budget_s = std::nullopt;
  std::optional<int64_t> memory_limit_bytes = std::nullopt;
  std::optional<int64_t> current_batch_size = std::nullopt;
  // What a search that made the run recommends, in place of what its tables say, which hold few
  // visits of most sizes. In the order of the runs; may be shorter; absent: the tables' own.
  std::vector<std::optional<findings::Recommendation>> recommendations = {};
  // Over 0: so many of the first runs are the baseline's, the rest the candidate's, and inference
  // is over runs. `runs_in_pairs`: the k-th of one side was measured with the k-th of the other.
  std::size_t baseline_runs = 0;
  bool runs_in_pairs = false;
  // Adds the gate on regressions, slow-downs of more than this.
  std::optional<double> regression_margin = std::nullopt;
  // How texts call what a user can set.
  base::Spelling spelling = base::name_of;
};

// Everything that can be said of the runs: one scaling table for each set of configurations that
// differ in batch size only, the anomalies, the comparisons, a recommendation, and words. With one
// run, configurations that differ in one other axis are compared within blocks (paired); with
// several, the same configurations are compared across runs, the first against each other one as
// independent samples of visits (Welch), or side against side with a run as the unit, and each
// run's tables and findings are its own. Pure: the same input gives the same output. `runs` may be
// empty or hold runs without a visit: the summary then says so in its warnings.
findings::Summary analyze(std::span<const schema::RunFile> runs, const Options& options = {});

}  // namespace batchscope::analyze
