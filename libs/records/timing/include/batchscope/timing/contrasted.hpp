#pragma once

#include <span>
#include <vector>

#include "batchscope/schema/run_file.hpp"
#include "batchscope/timing/use.hpp"
#include "batchscope/timing/visits.hpp"

// Visits that are held against each other. One side must not lose iterations that the other keeps
// because by chance, or for having fewer visits, it showed the shorter warm-up: of two that are
// equal it would look slower. So both are cut by the longer need. Iterations that take longer
// settle within fewer of them: where those of one side typically take over half as long again as
// those of the other, among the first of a visit too, and the longer need would leave visits
// unsettled or lose some that each side's own need keeps, each side is cut by its own. Only what is
// compared is cut so; the table of a run is not.
namespace batchscope::timing {

struct ContrastedVisits {
  WarmVisits a, b;
  bool settled = true;  // both; else nothing is proven by them, and nothing refuted
};

// Two configurations of a run. Those of one batch size are cut alike, and in an intervention, whose
// sides do the same work, whatever that leaves. Others are each cut by their own.
ContrastedVisits contrasted_visits(const schema::RunFile& run, const schema::RunConfig& a,
                                   const schema::RunConfig& b, Use use, const Warmups& warmups);

// A configuration in a run. All three outlive the call.
struct ConfigInRun {
  const schema::RunFile* run = nullptr;
  const schema::RunConfig* config = nullptr;  // null: the run has none
  const Warmups* warmups = nullptr;           // of the run
};

struct ContrastedRuns {
  std::vector<WarmVisits> a, b;  // in the order given; without visits where a run has none
  bool settled = true;           // all of them
};

// The visits made to measure the same configuration in the runs of either side. What the runs of a
// side show together counts too: each of them may have too few visits to show it. Imported tables
// are not cut.
ContrastedRuns contrasted_runs(std::span<const ConfigInRun> a, std::span<const ConfigInRun> b);

// There are kPairsToProve visits, or pairs, but they prove nothing for their warm-up: most may
// still hold some, or without those that do fewer are left.
bool are_warming(const WarmVisits& visits);
bool are_warming(const ContrastedVisits& visits);

}  // namespace batchscope::timing
