#pragma once

#include <functional>
#include <vector>

#include "batchscope/tune/replay.hpp"

namespace batchscope::tune {

// A table of batch sizes 1 to `largest` that take law(size) ms.
inline std::vector<RecordedTable> made_table(int64_t largest,
                                             const std::function<double(double)>& law) {
  std::vector<RecordedTable> table;
  for (int64_t size = 1; size <= largest; ++size) {
    RecordedTable point;
    point.config.model = "law";
    point.config.engine = "synthetic";
    point.config.shape.batch_size = size;
    point.mean_s = point.typical_s = point.latency_s = 1e-3 * law(static_cast<double>(size));
    table.push_back(point);
  }
  return table;
}

}  // namespace batchscope::tune
