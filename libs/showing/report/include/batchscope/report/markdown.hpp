#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "batchscope/advice/named_traces.hpp"
#include "batchscope/findings/commands.hpp"
#include "batchscope/findings/summary.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::report {

struct MarkdownOptions {
  // Shown as images at the end, in this order; written as given, so make them relative to where the
  // Markdown will lie. Of a chart that exists as PNG and SVG only the SVG is shown.
  std::vector<std::filesystem::path> charts{};
  findings::Commands commands{};
  bool details = true;  // all there is, as Extent::all; else as Extent::usual
};

// The same content as text(), as GitHub-flavoured Markdown. Whatever comes from the run file is
// escaped: it can add neither markup, nor HTML, nor a table column.
std::string markdown(const findings::Summary& summary, const MarkdownOptions& options = {});

struct MarkdownReportOptions {
  std::vector<std::filesystem::path> charts{};  // as in MarkdownOptions
  bool redacted = false;                        // said in the report
  findings::Commands commands{};
  std::span<const advice::NamedTrace> traces{};  // told of beside the causes
};

// The content of the HTML report in the order of an investigation: what to do, findings, charts,
// tables, what to measure next, machine and method, how to reproduce. `runs` are those that
// `summary` was made of.
std::string markdown_report(const findings::Summary& summary, std::span<const schema::RunFile> runs,
                            const MarkdownReportOptions& options = {});

}  // namespace batchscope::report
