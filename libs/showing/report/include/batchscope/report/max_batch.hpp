#pragma once

#include <string>

#include "batchscope/capacity/max_batch_result.hpp"
#include "batchscope/document/text.hpp"
#include "batchscope/findings/summary.hpp"

// A search for the largest batch. Names are untrusted: what steers a terminal is spelt out.
namespace batchscope::report {

// The answer, and what was found of each configuration.
std::string max_batch_text(const capacity::MaxBatchResult& result,
                           const document::TextStyle& style = {});
// Every size that was tried, to stand below it; the same as CSV.
std::string tries_text(const capacity::MaxBatchResult& result);
std::string max_batch_csv(const capacity::MaxBatchResult& result);
// docs/reference/schema/max-batch.schema.json
std::string max_batch_json(const capacity::MaxBatchResult& result);
// The same in the words of a report.
findings::Summary max_batch_summary(const capacity::MaxBatchResult& result);

}  // namespace batchscope::report
