#pragma once

#include <vector>

#include "batchscope/document/document.hpp"
#include "texts/words.hpp"

namespace batchscope::monitorpage {

// A row a GPU, a training loop; empty without any.
document::Table gpu_table(const Recorded& recorded);
document::Table loop_table(const Recorded& recorded);

// A row a line of all charts: mean, least, most.
document::Table line_table(const std::vector<Chart>& charts);
// One chart over time: a row for all of it and for each of a dozen stretches, a column a line, with
// the mean and from what to what it was.
document::Table chart_table(const Chart& chart, const Recorded& recorded);

// What the reader has to know of the log.
document::Facts reading_facts(const LogView& view, const Recorded& recorded);

}  // namespace batchscope::monitorpage
