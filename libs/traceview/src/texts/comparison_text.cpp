#include <fmt/format.h>

#include <algorithm>

#include "batchscope/document/markdown.hpp"
#include "batchscope/document/text.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/traceview/document.hpp"
#include "batchscope/traceview/trace.hpp"

namespace batchscope::traceview {
namespace {

using advice::Change;
using advice::TraceComparison;
using document::Cell;
using document::cell_of;
using document::Document;
using document::Heading;
using document::List;
using document::Paragraph;
using document::render_markdown;
using document::render_text;
using document::Table;
using document::TextStyle;

constexpr size_t kFewKernels = 10;

std::vector<Cell> change_row(const std::string& name, const Change& change, double wall) {
  const auto ms = [](double ns) { return cell_of(findings::three_digits(ns / 1e6)); };
  const double share = wall > 0 ? change.difference_ns() / wall : 0;
  Cell difference = ms(change.difference_ns());
  if (change.difference_ns() > 0) difference.value.insert(0, "+");
  if (share >= 0.01) difference.tone = Tone::bad;
  if (share <= -0.01) difference.tone = Tone::good;
  return {cell_of(name), ms(change.before_ns), ms(change.after_ns), difference,
          cell_of(findings::percent(share))};
}

Table change_table(const TraceComparison& comparison, const std::vector<Change>& changes,
                   size_t most) {
  const char* const unit = comparison.by_step ? "ms a step" : "ms";
  Table table;
  table.columns = {{"", "", true},
                   {"before", unit},
                   {"after", unit},
                   {"difference", unit},
                   {"of what", "it was"}};
  for (const Change& change : changes) {
    if (table.rows.size() == most) break;
    if (change.before_ns == 0 && change.after_ns == 0) continue;
    table.rows.push_back(
        change_row(name_for_a_reader(change.name), change, comparison.wall.before_ns));
  }
  return table;
}

Document comparison_document(const TraceComparison& comparison) {
  Document document{Paragraph{{{comparison.message, Tone::strong}}, false, true}};
  Table parts = change_table(comparison, comparison.parts, comparison.parts.size());
  parts.rows.push_back(change_row("all", comparison.wall, comparison.wall.before_ns));
  document.emplace_back(std::move(parts));
  document.emplace_back(Heading{2, "Kernels and copies that changed most"});
  document.emplace_back(change_table(comparison, comparison.kernels, kFewKernels));
  List predictions;
  for (const auto& each : comparison.predictions) {
    predictions.items.push_back(
        {{{fmt::format("{} was to gain {} to {}: it gained {}{}", each.id,
                       findings::percent(each.low), findings::percent(each.high),
                       findings::percent(each.gained), each.holds ? "" : ", which is outside"),
           Tone::plain}},
         {}});
  }
  if (!predictions.items.empty()) {
    document.emplace_back(Heading{2, "What was predicted"});
    document.emplace_back(std::move(predictions));
  }
  return document;
}

}  // namespace

std::string comparison_text(const TraceComparison& comparison, const TextStyle& style) {
  return render_text(comparison_document(comparison), style);
}

std::string comparison_markdown(const TraceComparison& comparison) {
  return render_markdown(comparison_document(comparison));
}

}  // namespace batchscope::traceview
