#pragma once

#include <string>

#include "batchscope/capacity/max_batch_result.hpp"

namespace batchscope::capacity {

// What leads all that is told of a search for the largest batch: of its first configuration.
findings::Answer max_batch_answer(const MaxBatchResult& result, const schema::Header& header,
                                  const findings::Commands& commands);

}  // namespace batchscope::capacity
