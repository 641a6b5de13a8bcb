#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"

namespace batchscope::report {

using Json = nlohmann::ordered_json;

// The charts of the page as data, in the order of the page; web/report/src/data.ts names the
// fields. A chart without data is left out. Names are cleaned and shortened; numbers are those of
// the summary, and texts read as in its tables.
Json html_charts(const findings::Summary& summary);

// The kinds, each nothing (an empty list) without data.
std::vector<Json> html_line_charts(const std::vector<findings::Group>& groups);
std::vector<Json> html_memory_charts(const std::vector<findings::Group>& groups);
std::vector<Json> html_box_chart(const std::vector<findings::Group>& groups);
std::vector<Json> html_breakdown_charts(const std::vector<findings::Group>& groups);
std::vector<Json> html_operation_charts(const std::vector<findings::Group>& groups);
// Every measured point by throughput and latency, and by throughput and memory.
std::vector<Json> html_tuning_charts(const std::vector<findings::Tuning>& tunings);

// A name as it stands beside a chart.
std::string shown_name(const std::string& raw);

}  // namespace batchscope::report
