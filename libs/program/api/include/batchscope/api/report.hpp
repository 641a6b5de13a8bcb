#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/api/compare.hpp"
#include "batchscope/api/program.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/findings/commands.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::api {

enum class Page { html, markdown };

struct ReportOptions {
  std::vector<std::string> names{};  // of the runs: their paths
  // Files of traces from elsewhere, told of beside those that the runs name.
  std::vector<std::filesystem::path> traces{};
  std::optional<double> practical{};  // as AnalyzeOptions has it
  bool redacted = false;              // leave out what strangers need not see
  // Words to take out besides those that the runs give away, such as who makes the report.
  std::vector<std::string> private_names{};
  // A line where compared times differ by so much (HTML).
  double margin = kVersionMargin;
  Page page = Page::html;
  // Where the charts of a Markdown page are drawn: a folder beside the page.
  std::filesystem::path charts{};
  findings::Commands commands{};  // how the page's readers do what it proposes
};

struct Report {
  std::string text;
  // Charts that cannot be drawn cost the charts alone; what stood in the way.
  std::optional<base::Error> charts_missing{};
};

// Everything that the runs tell, on one page. A trace that cannot be read costs itself alone, and
// is said; where things are left out, traces are: their names are anybody's. Errors: those of
// analyze; failed (a build without the page's script).
base::Result<Report> report(const Program& program, std::vector<schema::RunFile> runs,
                            ReportOptions options);

}  // namespace batchscope::api
