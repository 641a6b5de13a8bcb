#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "batchscope/schema/summary.hpp"

namespace batchscope::report {

struct MarkdownOptions {
  // Shown as images at the end, in this order; written as given, so make them relative to where the
  // Markdown will lie. Of a chart that exists as PNG and SVG only the SVG is shown.
  std::vector<std::filesystem::path> charts;
};

// The same content as text(), as GitHub-flavoured Markdown. Whatever comes from the run file is
// escaped: it can add neither markup, nor HTML, nor a table column.
std::string markdown(const schema::Summary& summary, const MarkdownOptions& options = {});

}  // namespace batchscope::report
