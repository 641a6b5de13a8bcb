#pragma once

#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "batchscope/findings/tuning.hpp"

namespace batchscope::charts {

// Titles say what a chart shows of this run, on the page and in pictures alike; no verdict of their
// own: what is proven comes from findings, the rest is read off the drawn numbers.

// Of times at each batch size: "Batch 8 takes 12 % longer than the other sizes suggest".
std::string time_title(const findings::Summary& summary);
// The same measurements seen in other ways, of a table alone: "Batch 4 gives 11 % more samples/s
// than batch 1", "Batch 4 takes 10 % less time than linear scaling from batch 1", "A sample takes
// 9.6 % longer at batch 4 than at batch 1", "An iteration takes 36 ms at batch 1, 291 ms at batch
// 8". Empty of several tables.
std::string throughput_title(const findings::Summary& summary);
std::string efficiency_title(const findings::Summary& summary);
std::string slowdown_title(const findings::Summary& summary);
std::string iteration_title(const findings::Summary& summary);
// "Batch 8 lies 12 % above the law of the sizes".
std::string residual_title(const findings::Summary& summary);
// "Peak memory grows by 12 MiB a sample".
std::string memory_title(const std::vector<findings::Group>& groups);
// "forward takes 62 to 96 % of an iteration": of those phases.
std::string breakdown_title(const std::vector<findings::Group>& groups,
                            const std::vector<std::string>& phases);
// "Batch 8 gives 31 samples/s at 130 ms a batch".
std::string answer_title(const findings::Summary& summary);
// The same of a search; `beside` is "latency" or "memory".
std::string tuning_title(const findings::Tuning& tuning, const char* beside);

}  // namespace batchscope::charts
