#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/units.hpp"
#include "batchscope/document/markdown.hpp"
#include "batchscope/document/text.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/report/versions.hpp"
#include "change_words.hpp"

namespace batchscope::report {
namespace {

using document::Block;
using document::cell_of;
using document::Document;
using document::Paragraph;
using document::render_markdown;
using document::render_text;
using document::sentences;
using document::TextTable;
using document::Tone;
using findings::kAbsent;
using findings::percent;
using findings::plain;
using findings::Shown;
using findings::VersionComparison;
using findings::VersionRow;
using findings::VersionVerdict;

Tone tone_of(VersionVerdict verdict) {
  switch (verdict) {
    case VersionVerdict::slower:
      return Tone::bad;
    case VersionVerdict::cannot_tell:
      return Tone::caution;
    case VersionVerdict::faster:
    case VersionVerdict::equal:
    case VersionVerdict::not_slower:
      break;
  }
  return Tone::good;
}

bool has_several_versions(const VersionComparison& comparison) {
  return std::any_of(comparison.rows.begin(), comparison.rows.end(),
                     [&](const VersionRow& row) { return row.new_name != comparison.new_name; });
}

// The table's interval may be above 0, and yet not tell whether the margin is exceeded.
std::string verdict_words(const VersionRow& row, double margin) {
  const bool open = row.verdict == VersionVerdict::cannot_tell;
  if (open && row.ratio && row.ratio->ci && row.ratio->ci->low > 1) {
    return "cannot tell if over " + base::format_level(margin);
  }
  return in_words(row.verdict, margin);
}

TextTable version_table(const VersionComparison& comparison) {
  const bool several = has_several_versions(comparison);
  TextTable table;
  table.columns.push_back({"", "", true});
  if (several) table.columns.push_back({"version", "", true});
  table.columns.push_back({"old", "ms"});
  table.columns.push_back({"new", "ms"});
  table.columns.push_back({"change", "of time"});
  table.columns.push_back({"detectable", "slowdown"});
  table.columns.push_back({"verdict", "", true});
  const auto ms = [](const std::optional<double>& time) {
    return cell_of(time ? plain(*time) : kAbsent);
  };
  for (const VersionRow& row : comparison.rows) {
    std::vector<document::Cell> cells{cell_of(row.where)};
    if (several) cells.push_back(cell_of(row.new_name));
    cells.push_back(ms(row.old_ms));
    cells.push_back(ms(row.new_ms));
    const Shown change = row.ratio ? show_change(*row.ratio) : Shown{kAbsent, ""};
    cells.push_back({change.value, change.interval});
    cells.push_back(cell_of(row.detectable ? changed_by(*row.detectable) : kAbsent));
    cells.push_back({verdict_words(row, comparison.margin), "", tone_of(row.verdict)});
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string seen_words(const VersionComparison& comparison) {
  if (!comparison.detectable) return "";
  return fmt::format(
      "A slowdown of {} is found in 80 % of such runs (margin {}, {} {}); smaller ones less often.",
      percent(*comparison.detectable), base::format_level(comparison.margin),
      comparison.rows.front().n, comparison.unit);
}

Document beside_the_table(const VersionComparison& comparison) {
  Document document;
  const std::string seen = seen_words(comparison);
  if (!seen.empty()) document.emplace_back(Paragraph{{{seen, Tone::dim}}});
  if (!comparison.advice.empty()) {
    document.emplace_back(Paragraph{{{comparison.advice, Tone::plain}}});
  }
  if (!comparison.warnings.empty()) {
    document.emplace_back(sentences(comparison.warnings, Tone::caution));
  }
  return document;
}

const char* heading_of(VersionVerdict verdict) {
  switch (verdict) {
    case VersionVerdict::slower:
      return "Slower";
    case VersionVerdict::faster:
      return "Faster";
    case VersionVerdict::equal:
      return "Equal";
    case VersionVerdict::not_slower:
      return "Not slower";
    case VersionVerdict::cannot_tell:
      break;
  }
  return "Cannot tell";
}

std::vector<std::string> messages(const VersionComparison& comparison) {
  std::vector<std::string> all;
  for (const VersionRow& row : comparison.rows) all.push_back(row.message);
  return all;
}

}  // namespace

std::string version_text(const VersionComparison& comparison, const document::TextStyle& style) {
  Document document{Paragraph{{{comparison.message, tone_of(comparison.verdict)}}, false, true}};
  if (style.extent == document::Extent::answer) {
    const bool advised = !comparison.advice.empty();
    if (advised) document.emplace_back(Paragraph{{{comparison.advice, Tone::plain}}, true, true});
    return render_text(std::move(document), style);
  }
  const bool measured =
      std::any_of(comparison.rows.begin(), comparison.rows.end(),
                  [](const VersionRow& row) { return row.old_ms || row.new_ms || row.ratio; });
  if (measured) document.emplace_back(version_table(comparison));
  for (Block& block : beside_the_table(comparison)) document.push_back(std::move(block));
  return render_text(std::move(document), style);
}

std::string version_markdown(const VersionComparison& comparison) {
  Document document{document::Heading{1, heading_of(comparison.verdict)},
                    Paragraph{{{comparison.message, Tone::plain}}}, version_table(comparison)};
  for (Block& block : beside_the_table(comparison)) document.push_back(std::move(block));
  const std::string level = base::format_level(comparison.level);
  const Document details{
      sentences(messages(comparison), Tone::plain),
      Paragraph{
          {{fmt::format("Bounds are one-sided at {0}, by the trimmed mean and by the mean of all "
                        "visits; a slowdown has to hold with one pair in twelve ignored. Slowdowns "
                        "are one family (Holm): the chance of any false alarm is at most {1}. CIs "
                        "in the table are two-sided and hold together at {0}. A change of time is "
                        "from paired visits without the outermost; the times are from all visits.",
                        level, base::format_level(1 - comparison.level)),
            Tone::plain}}}};
  return render_markdown(document) + "\n<details>\n<summary>Each configuration, and the method" +
         "</summary>\n\n" + render_markdown(details) + "\n</details>\n";
}

}  // namespace batchscope::report
