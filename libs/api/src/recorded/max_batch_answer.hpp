#pragma once

#include <string>

#include "batchscope/api/largest_batch_results.hpp"

namespace batchscope::api {

// What leads all that is told of a search for the largest batch: of its first configuration.
findings::Answer max_batch_answer(const MaxBatchResult& result, const schema::Header& header,
                                  const findings::Commands& commands);
// What is told below it: of each configuration what was found.
std::string found_text(const MaxBatchResult& result);

}  // namespace batchscope::api
