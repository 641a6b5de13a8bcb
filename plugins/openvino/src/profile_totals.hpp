#pragma once

#include <openvino/runtime/profiling_info.hpp>
#include <vector>

#include "batchscope/schema/diagnosis.hpp"

namespace batchscope::openvino_plugin {

// What OpenVINO's counters said after so many runs of a request: of each layer its mean time over
// all of these, in whole microseconds, and no time for a layer that took less than one.
struct LayerMeans {
  std::vector<ov::ProfilingInfo> layers;
  int64_t runs = 0;
};

struct ProfileTotals {
  std::vector<schema::Operation> operations;
  std::vector<schema::Primitive> primitives;
};

// What the runs between the two took, the longest first: by layer ("MatMul layer.0/query"; beyond
// the `most` longest the rest is summed as "other"), and by kind and implementation. The kinds that
// the CPU's kernel library has a name for go by it (inner_product, convolution, matmul, reorder),
// the others by OpenVINO's in small letters. A layer's time is known to a microsecond a run.
ProfileTotals totals_between(const LayerMeans& before, const LayerMeans& after, size_t most = 200);

}  // namespace batchscope::openvino_plugin
