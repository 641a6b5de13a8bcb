#pragma once

#include <string>
#include <vector>

#include "batchscope/schema/run_file.hpp"

namespace batchscope::causes {

// A configuration, and the same work without the cause.
struct Ablation {
  schema::RunConfig config;
  schema::RunConfig without;
};

// An experiment that confirms or refutes a cause: both sides of each ablation are measured,
// interleaved, in visits of purpose `intervention`.
struct Intervention {
  std::string cause;                // "cause.heap-returned"
  std::vector<Ablation> ablations;  // the size in question, then a neighbour if there is one
  // Whether the verdict rests on the difference of the two; else the neighbour only tells more.
  bool needs_neighbour = false;
};

// The configurations that a diagnostic visit may tell something of: those of every table under
// the plainest environment that was asked for; of a table with more than 8 sizes those that cost
// more a sample than the next smaller one, with their neighbours, and both ends. Empty for an
// imported run.
std::vector<schema::RunConfig> worth_diagnosing(const schema::RunFile& run);

// The experiments that the signals of a run call for, the strongest signal first: at most one for
// each cause and scaling table. Empty for an imported run, which has no signals.
std::vector<Intervention> proposed_interventions(const schema::RunFile& run);

}  // namespace batchscope::causes
