#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/units.hpp"
#include "batchscope/document/markdown.hpp"
#include "batchscope/document/text.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/report/versions.hpp"
#include "change_words.hpp"
#include "trend_document.hpp"

namespace batchscope::report {
namespace {

using document::Block;
using document::Cell;
using document::cell_of;
using document::Column;
using document::Document;
using document::Heading;
using document::List;
using document::Paragraph;
using document::render_markdown;
using document::render_text;
using document::TextTable;
using document::Tone;
using findings::kAbsent;
using findings::plain;
using findings::Trend;
using findings::TrendChange;
using findings::TrendSeries;

bool has_machines(const Trend& trend) {
  return std::any_of(trend.series.begin(), trend.series.end(),
                     [](const TrendSeries& series) { return !series.machine.empty(); });
}

std::vector<Cell> trend_row(const TrendSeries& series) {
  const double first = series.levels.front().ms, last = series.levels.back().ms;
  const bool changed = !series.changes.empty();
  const Tone tone = !changed ? Tone::plain : last > first ? Tone::bad : Tone::good;
  return {cell_of(fmt::format("{}", series.points.size())),
          cell_of(plain(first)),
          cell_of(plain(last)),
          {changed ? changed_by(last / first - 1) : kAbsent, "", tone},
          cell_of(fmt::format("{}", series.changes.size())),
          cell_of(series.detectable ? changed_by(*series.detectable) : kAbsent)};
}

Document trend_body(const Trend& trend) {
  Document document{trend_table(trend)};
  if (List changes = trend_changes(trend); changes.items.size() > 1) {
    document.emplace_back(Heading{2, "Changes"});
    document.emplace_back(std::move(changes));
  }
  document.emplace_back(Paragraph{{{trend_method(trend), Tone::dim}}});
  if (!trend.warnings.empty())
    document.emplace_back(document::sentences(trend.warnings, Tone::caution));
  return document;
}

}  // namespace

TextTable trend_table(const Trend& trend) {
  const bool machines = has_machines(trend);
  TextTable table;
  table.columns.push_back({"", "", true});
  if (machines) table.columns.push_back({"machine", "", true});
  for (const Column& column :
       {Column{"runs", ""}, Column{"first", "level, ms"}, Column{"last", "level, ms"},
        Column{"change", "of time"}, Column{"changes", ""}, Column{"smallest", "detectable"}}) {
    table.columns.push_back(column);
  }
  for (const TrendSeries& series : trend.series) {
    std::vector<Cell> row{cell_of(series.label)};
    if (machines) row.push_back(cell_of(series.machine));
    for (Cell& cell : trend_row(series)) row.push_back(std::move(cell));
    table.rows.push_back(std::move(row));
  }
  return table;
}

List trend_changes(const Trend& trend) {
  std::vector<const TrendChange*> all;
  for (const TrendSeries& series : trend.series) {
    for (const TrendChange& change : series.changes) all.push_back(&change);
    if (series.drift) all.push_back(&*series.drift);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const TrendChange* a, const TrendChange* b) { return a->run > b->run; });
  List list;
  for (const TrendChange* change : all) {
    const Tone tone = change->ratio.value > 1 ? Tone::bad : Tone::good;
    list.items.push_back({{{change->message, tone}}, {}});
  }
  return list;
}

std::string trend_method(const Trend& trend) {
  return fmt::format(
      "A run is one number per configuration. A level lasts from one change to the next, with at "
      "least four runs on either side. The chance of any false change over all series is at most "
      "{} if runs scatter alike; the test tolerates single outliers and correlation between "
      "neighbouring runs. The CIs hold together at {}. \"Smallest detectable\": a step in the "
      "middle that "
      "the test detects with 80 % power.",
      base::format_level(1 - trend.level), base::format_level(trend.level));
}

std::string trend_text(const Trend& trend, const document::TextStyle& style) {
  Document document{Paragraph{{{trend.message, Tone::strong}}}};
  for (Block& block : trend_body(trend)) document.push_back(std::move(block));
  return render_text(std::move(document), style);
}

std::string trend_markdown(const Trend& trend) {
  Document document{Heading{1, "Times over runs"}, Paragraph{{{trend.message, Tone::plain}}}};
  for (Block& block : trend_body(trend)) document.push_back(std::move(block));
  return render_markdown(document);
}

}  // namespace batchscope::report
