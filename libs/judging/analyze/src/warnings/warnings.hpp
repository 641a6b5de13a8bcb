#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "batchscope/findings/answer.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::analyze {

// A sentence of the batch sizes that failed in every visit, so that no table shows them: one for
// each way to fail as often, and where the run has several tables, for each of these.
std::vector<std::string> failed_sizes_in_words(const tables::RunView& view);

// The sizes of which nothing could be measured: each of their configurations failed until it was
// given up.
std::set<int64_t> sizes_that_failed(const tables::RunView& view);

// The machine as it was read during the visits that count.
struct MachineReading {
  findings::MachineFitness fitness = findings::MachineFitness::unknown;
  std::string words;    // "quiet", or what disturbed it, the worst first: one clause
  std::string fix;      // of the worst; empty: nothing
  bool mostly = false;  // most visits were disturbed: what they show, they show under that load
};

// Of all runs together: what a visit was disturbed by in any of them counts.
MachineReading machine_of(const std::vector<tables::RunView>& views);

// What a reader of a run's numbers must know: an unfit machine, points that failed, visits that are
// missing, a file that was cut, what the run could not reach.
std::vector<std::string> warnings_of(const tables::RunView& view);

// Of models of which now and then an iteration takes far longer than the typical one, where visits
// are too short to tell how often.
std::vector<std::string> slow_iteration_warnings(const tables::RunView& view);

// The part about the machine: steal, throttling, load of others, clock, other GPU processes.
std::vector<std::string> fitness_warnings(const tables::RunView& view);

}  // namespace batchscope::analyze
