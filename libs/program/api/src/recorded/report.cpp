#include "batchscope/api/report.hpp"

#include <utility>

#include "batchscope/advice/named_traces.hpp"
#include "batchscope/api/analyze.hpp"
#include "batchscope/api/recorded.hpp"
#include "batchscope/charts/charts.hpp"
#include "batchscope/charts/scatter.hpp"
#include "batchscope/privacy/redact.hpp"
#include "batchscope/report/html.hpp"
#include "batchscope/report/markdown.hpp"

namespace batchscope::api {
namespace {

namespace fs = std::filesystem;
using base::Result;

using Traces = std::vector<advice::NamedTrace>;

Result<Report> html_page(const findings::Summary& summary, const std::vector<schema::RunFile>& runs,
                         const Traces& traces, const ReportOptions& options) {
  auto page = report::html(summary, runs,
                           {.redacted = options.redacted,
                            .commands = options.commands,
                            .margin = options.margin,
                            .traces = traces});
  if (!page) return std::move(page).error();
  return Report{*std::move(page)};
}

Report markdown_page(const findings::Summary& summary, const std::vector<schema::RunFile>& runs,
                     const Traces& traces, const ReportOptions& options) {
  // A search for the largest batch has no curve of times.
  const bool none = runs.size() == 1 && is_search(runs.front());
  const auto charts =
      none ? Result(std::vector<fs::path>{})
           : charts::write_charts(summary, options.charts,
                                  {.latency_budget_ms = charts::latency_budget_ms(runs)});
  report::MarkdownReportOptions made{
      .redacted = options.redacted, .commands = options.commands, .traces = traces};
  if (charts) {
    for (const fs::path& chart : *charts) {
      made.charts.push_back(options.charts.filename() / chart.filename());
    }
  }
  Report page{report::markdown_report(summary, runs, made)};
  if (!charts) page.charts_missing = charts.error();
  return page;
}

}  // namespace

Result<Report> report(const Program& program, std::vector<schema::RunFile> runs,
                      ReportOptions options) {
  Traces traces;
  if (!options.redacted) traces = advice::named_traces(runs, options.names, options.traces);
  if (options.redacted) privacy::redact(runs, options.names, options.private_names);
  AnalyzeOptions analysis;
  analysis.analysis.names = options.names;
  analysis.practical = options.practical;
  const auto summary = analyze(program, runs, std::move(analysis));
  if (!summary) return summary.error();
  if (options.page == Page::html) return html_page(*summary, runs, traces, options);
  return markdown_page(*summary, runs, traces, options);
}

}  // namespace batchscope::api
