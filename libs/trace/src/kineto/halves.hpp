#pragma once

#include <vector>

#include "table/chunk.hpp"

namespace batchscope::trace {

// Makes activities of begins and ends (ph B and E of the trace event format): of one thread the end
// closes what began last, by their times, wherever they stand in the file. What lacks its other
// half is skipped, and counted.
void join_halves(std::vector<NumberedChunk>& chunks);

}  // namespace batchscope::trace
