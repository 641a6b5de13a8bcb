#pragma once

#include <string>

#include "batchscope/findings/trend.hpp"
#include "batchscope/findings/version_comparison.hpp"
#include "batchscope/report/text.hpp"

namespace batchscope::report {

// A new version against an old one, for a reader at a terminal: the answer, a table, from where on
// a slow-down would have been seen, what to add; in brief, the answer and what to add. Names are
// untrusted, here and below.
std::string version_text(const findings::VersionComparison& comparison,
                         const document::TextStyle& style = {});
// The same for a pull request, as GitHub-flavoured Markdown: answer and table, details folded.
std::string version_markdown(const findings::VersionComparison& comparison);

// Times over runs: the answer, a table of series, every change.
std::string trend_text(const findings::Trend& trend, const document::TextStyle& style = {});
std::string trend_markdown(const findings::Trend& trend);
// The same as a page that needs nothing but itself, without a script: a chart for each series, with
// the levels, and the runs with which each change may have begun.
std::string trend_html(const findings::Trend& trend);

}  // namespace batchscope::report
