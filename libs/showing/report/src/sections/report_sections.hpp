#pragma once

#include <span>
#include <string>
#include <vector>

#include "batchscope/advice/named_traces.hpp"
#include "batchscope/document/document.hpp"
#include "batchscope/findings/commands.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::report {

// A report is sections in reading order; the HTML page and the Markdown file are two renderings.
struct Section {
  std::string id;     // anchor, and what sets it apart on the page
  std::string title;  // without it a reader finds it in the list of sections
  document::Document content;
  bool charts = false;         // here the format shows the charts
  bool tuning_charts = false;  // and here those of searches, where it has any
  document::Document below{};  // what stands below them
};

inline constexpr const char* kRedacted = "This page contains no host names, user names or folders.";

// Only sections with something to say.
std::vector<Section> report_sections(const findings::Summary& summary,
                                     std::span<const schema::RunFile> runs,
                                     const findings::Commands& commands,
                                     std::span<const advice::NamedTrace> traces = {});
// All that they tell, one after the other.
document::Document reported_in(const std::vector<Section>& sections);
// "Batch size report: distilbert"; names are as in the runs.
std::string report_title(const findings::Summary& summary);

// The machines that measured, what was run on them, and how it was measured.
document::Document machine_section(std::span<const schema::RunFile> runs,
                                   const findings::Summary& summary);
// The commands that made the runs, as they were typed, and the one for this report.
document::Document reproduce_section(std::span<const schema::RunFile> runs,
                                     const findings::Summary& summary,
                                     const findings::Commands& commands);

}  // namespace batchscope::report
