#include <fmt/format.h>

#include <algorithm>

#include "batchscope/advice/trace_summary.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/document/finding_parts.hpp"
#include "batchscope/document/html.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/traceview/document.hpp"
#include "batchscope/traceview/trace.hpp"
#include "full_page.hpp"
#include "part_styles.hpp"
#include "tables/job_tables.hpp"
#include "trace_cards.hpp"

namespace batchscope::traceview {
namespace {

using advice::JobSummary;
using advice::TraceComparison;
using advice::TraceSummary;
using attribution::TimeParts;
using document::Document;
using document::DrawnColumn;
using document::Extent;
using document::html_text;
using document::PagePart;
using document::Tile;

constexpr int kRankBar = 14, kComparedBar = 22;
constexpr size_t kKernelsOfAPage = 40;
constexpr size_t kMostRanks = 64;  // that are told of one by one

TimeParts parts_of_rank(const TraceSummary& rank) {
  TimeParts all;
  for (const auto& device : rank.attribution.devices) all += device.parts;
  return all;
}

std::string ranks_part(const JobSummary& job) {
  DrawnColumn bars{"by part", {}};
  TimeParts all;
  for (size_t i = 0; i < job.times.size(); ++i) {
    const TimeParts parts = parts_of_rank(job.ranks[i]);
    all += parts;
    bars.cells.push_back(part_bar(parts, kRankBar));
  }
  return document::table_html(rank_table(job), bars, "times ranks") + part_legend(all);
}

std::string each_rank_part(const JobSummary& job) {
  std::string html;
  for (size_t i = 0; i < std::min(job.ranks.size(), kMostRanks); ++i) {
    const TraceSummary& rank = job.ranks[i];
    const std::string busy = findings::percent(parts_of_rank(rank).busy_share());
    const std::string name =
        fmt::format("rank {}, busy {}: {}", job.times[i].rank, busy, html_text(rank.source));
    html +=
        document::fold(name.c_str(), document::render_html(trace_document(rank, Extent::usual)));
  }
  if (job.ranks.size() > kMostRanks) {
    html += fmt::format("<p class=\"dim\">The first {} of {} ranks; the JSON has all.</p>\n",
                        kMostRanks, job.ranks.size());
  }
  return html;
}

// Its own and those of the ranks, each kind once.
std::vector<findings::Finding> all_findings(const JobSummary& job) {
  std::vector<findings::Finding> all = job.findings;
  for (const TraceSummary& rank : job.ranks) {
    all.insert(all.end(), rank.findings.begin(), rank.findings.end());
  }
  return all;
}

std::vector<Tile> tiles_of(const JobSummary& job) {
  std::vector<Tile> tiles{{fmt::format("{}", job.ranks.size()), "", "ranks"}};
  if (job.compared_collectives > 0) {
    tiles.push_back({fmt::format("{}", job.compared_collectives), "", "collectives compared"});
  }
  if (const auto* const most = advice::most_to_gain(job.findings)) {
    tiles.push_back({findings::percent_range(*most->gain), "of the time", "largest gain"});
  }
  return tiles;
}

TimeParts parts_of_side(const TraceComparison& comparison, bool after) {
  TimeParts parts;
  for (size_t i = 0; i < std::min(comparison.parts.size(), parts.ns.size()); ++i) {
    const advice::Change& change = comparison.parts[i];
    parts.ns[i] = static_cast<int64_t>(after ? change.after_ns : change.before_ns);
  }
  return parts;
}

// The longer of the two fills the width.
std::string side_html(const char* name, const TraceComparison& comparison, bool after) {
  const double longest = std::max(comparison.wall.before_ns, comparison.wall.after_ns);
  const double own = after ? comparison.wall.after_ns : comparison.wall.before_ns;
  const double width = longest > 0 ? 100 * own / longest : 0;
  const std::string time = findings::milliseconds_of(static_cast<int64_t>(own));
  return fmt::format(
      "<figure class=\"device\"><figcaption>{}: {}{}</figcaption><svg width=\"100%\" "
      "height=\"{}\"><svg "
      "width=\"{:.2f}%\" height=\"{}\">{}</svg></svg></figure>\n",
      name, html_text(time), comparison.by_step ? " per step" : "", kComparedBar, width,
      kComparedBar, part_bar(parts_of_side(comparison, after), kComparedBar));
}

std::string changed_part(const TraceComparison& comparison) {
  TimeParts both = parts_of_side(comparison, false);
  both += parts_of_side(comparison, true);
  const std::string table = document::table_html(changed_parts_table(comparison), {}, "times");
  // The bars are those of devices.
  if (comparison.of_host) return table;
  return side_html("before", comparison, false) + side_html("after", comparison, true) +
         part_legend(both) + table;
}

std::string changed_names_part(const TraceComparison& comparison) {
  document::TextTable table = comparison.of_host
                                  ? changed_operators_table(comparison, kKernelsOfAPage)
                                  : changed_kernels_table(comparison, kKernelsOfAPage);
  return table.rows.empty() ? "" : document::table_html(table, {}, "sortable");
}

std::string predictions_part(const TraceComparison& comparison) {
  document::List predictions = prediction_list(comparison);
  return predictions.items.empty() ? "" : document::render_html({std::move(predictions)});
}

base::Error no_job_page() {
  return document::no_page("write as text, JSON, CSV or Markdown");
}

}  // namespace

base::Result<std::string> job_html(const JobSummary& job) {
  if (job.ranks.size() == 1) return trace_html(job.ranks.front());
  const document::WebBundle* const bundle = document::trace_bundle();
  if (bundle == nullptr) return no_job_page();
  return full_page(*bundle,
                   {fmt::format("Where the devices' time went, {} ranks", job.ranks.size()),
                    "",
                    answer_html("Ranks compared", job.message, tiles_of(job)),
                    {{"ranks", "Ranks", ranks_part(job)},
                     {"findings", "What to change", finding_cards(job.findings)},
                     {"each", "Rank by rank", each_rank_part(job)},
                     {"explanations", "What the findings mean",
                      document::explanations(all_findings(job), advice::kinds()), true}},
                    download_data(trace_csv(job), trace_json(job))});
}

base::Result<std::string> comparison_html(const TraceComparison& comparison) {
  const document::WebBundle* const bundle = document::trace_bundle();
  if (bundle == nullptr) return no_job_page();
  const size_t sentence = std::min(comparison.message.find("; "), comparison.message.size());
  const std::string causes = comparison.message.substr(sentence);
  return full_page(
      *bundle, {"What changed in the device's time",
                comparison.before + " against " + comparison.after,
                answer_html(comparison.message.substr(0, sentence),
                            causes.empty() ? "" : "Of that: " + causes.substr(2), {}),
                {{"changed", "Where the difference comes from", changed_part(comparison)},
                 {"kernels",
                  comparison.of_host ? "Operators and calls with the largest change of self time"
                                     : "Kernels and copies with the largest change",
                  changed_names_part(comparison)},
                 {"predictions", "Predicted and measured gains", predictions_part(comparison)}},
                download_data(comparison_csv(comparison), comparison_json(comparison))});
}

}  // namespace batchscope::traceview
