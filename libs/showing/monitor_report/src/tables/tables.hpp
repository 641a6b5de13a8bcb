#pragma once

#include <string>
#include <vector>

#include "batchscope/document/document.hpp"
#include "batchscope/document/page_frame.hpp"
#include "tables/words.hpp"

namespace batchscope::monitor_report {

// What leads: what is wrong, since when, and what else there is.
struct Headline {
  std::string headline, message;
  std::vector<std::string> doubts;  // what may make it incomplete
};
Headline answer_of(const LogView& view, const RecordedSeries& recorded,
                   const std::vector<Chart>& charts);

// "GPU busy, power and CPUs; no training loop told of steps.": what was there to be judged.
std::string looked_at(const RecordedSeries& recorded, const std::vector<Chart>& charts);

// What all of it comes to, at a glance.
std::vector<document::Tile> figures_of(const RecordedSeries& recorded,
                                       const std::vector<Chart>& charts);

// What is told of a finding beside what it is: when, where, on what grounds, why, what to do.
std::vector<document::KeyValue> finding_fields(const watch::ActiveFinding& active,
                                               const RecordedSeries& recorded);
// An item each, with all of it.
document::List finding_list(const std::vector<watch::ActiveFinding>& active_findings,
                            const RecordedSeries& recorded);

// A row a GPU, a training loop; empty without any.
document::TextTable gpu_table(const RecordedSeries& recorded);
document::TextTable loop_table(const RecordedSeries& recorded);

// A row a line of all charts: mean, least, most.
document::TextTable line_table(const std::vector<Chart>& charts);
// One chart over time: a row for all of it and for each of a dozen stretches, a column a line, with
// the mean and from what to what it was.
document::TextTable chart_table(const Chart& chart, const RecordedSeries& recorded);

// What the reader has to know of the log.
document::KeyValues reading_facts(const LogView& view, const RecordedSeries& recorded);

}  // namespace batchscope::monitor_report
