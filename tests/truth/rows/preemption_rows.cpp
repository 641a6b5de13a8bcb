// A model with the same work for every sample, on a machine whose processors others want too: short
// iterations mostly escape them, long ones never do.
#include <fmt/format.h>

#include "claim_rows.hpp"
#include "experiment.hpp"

namespace batchscope::truth {
namespace {

Row preempted(int slice_ms, int others, int blocks) {
  const std::string noise = fmt::format("{};preempt={}ms:{}", kStillNoise, slice_ms, others);
  return any_claim("Preemption: anything called proven",
                   {fmt::format("preemption: 0.1 to 1 ms a sample, 7 sizes to 64, {} blocks, {} "
                                "more process{} on the processor, slices of {} ms",
                                blocks, others, others == 1 ? "" : "es", slice_ms),
                    random_flat,
                    {1, 2, 4, 8, 16, 32, 64},
                    noise,
                    blocks,
                    0.1});
}

}  // namespace

std::vector<Row> preemption_rows() {
  std::vector<Row> rows;
  for (const int slice_ms : {3, 4}) {
    for (const int others : {1, 2}) {
      for (const int blocks : {6, 12}) rows.push_back(preempted(slice_ms, others, blocks));
    }
  }
  for (Row& row : rows) row.tested = false;
  return rows;
}

}  // namespace batchscope::truth
