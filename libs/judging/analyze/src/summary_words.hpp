#pragma once

#include <string>
#include <vector>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::analyze {

// The short summary for a newcomer, a sentence each: what was measured, the best batch and its
// gain, each proven anomaly with what to do, what is only suspected, and how sure all this is.
std::vector<std::string> words_of(const std::vector<tables::RunView>& views,
                                  const findings::Summary& summary, const Options& options);

}  // namespace batchscope::analyze
