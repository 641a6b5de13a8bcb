#pragma once

#include "batchscope/capacity/max_batch.hpp"
#include "batchscope/capacity/max_batch_run.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::capacity {

// The search for one configuration as the probes of the run file leave it.
MaxBatch search_of(const schema::RunFile& run, int config, const schema::MaxBatchSettings& plan);

// How a probe is told to a search; nullopt for one that it did not ask for, or that has not ended.
struct ReportedProbe {
  ProbePurpose purpose = ProbePurpose::search;
  ProbeResult result;
};
std::optional<ReportedProbe> reported(const schema::Probe& probe);

}  // namespace batchscope::capacity
