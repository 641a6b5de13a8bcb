#include "causes_section.hpp"

#include <algorithm>
#include <array>

#include "batchscope/document/finding_parts.hpp"
#include "batchscope/findings/by_group.hpp"
#include "batchscope/findings/metrics.hpp"
#include "batchscope/findings/numbers.hpp"
#include "document/shell_words.hpp"
#include "findings_section.hpp"

namespace batchscope::report {
namespace {

using document::Document;
using document::Item;
using document::List;
using document::Paragraph;
using document::Tone;
using findings::Commands;
using findings::Finding;
using findings::label_of;
using findings::p_in_words;
using findings::Status;

struct Kind {
  Status status;
  const char* title;
  const char* meaning;
};

// In the order of what a reader can do about them.
constexpr std::array<Kind, 4> kKinds = {
    {{Status::confirmed, "Confirmed",
      "The same batch size, measured in turn with and without the cause, is faster without."},
     {Status::suspected, "Suspected",
      "The signal is present, but no experiment shows that it costs time."},
     {Status::unexplained, "Unexplained", "Slow, and no tested cause explains it."},
     {Status::refuted, "Ruled out",
      "The signal is present, but the batch is hardly faster without."}}};

Tone cause_tone(const Finding& finding) {
  if (finding.status != Status::confirmed) return Tone::strong;
  return finding.severity >= findings::Severity::medium ? Tone::bad : Tone::caution;
}

bool is_effect(const findings::Evidence& evidence) {
  return evidence.metric == findings::metric::kTimeSaved.name ||
         evidence.metric == findings::metric::kTimeSavedBeyondNeighbour.name;
}

std::string evidence_text(const Finding& finding, bool effects) {
  std::string text;
  for (const findings::Evidence& evidence : finding.evidence) {
    if (is_effect(evidence) != effects) continue;
    text += (text.empty() ? "" : "; ") + evidence_in_words(finding, evidence);
  }
  if (effects && !text.empty() && finding.p_value) text += "; " + p_in_words(*finding.p_value);
  return text;
}

// The sizes proven slow that name this cause.
std::string explained_by(const Finding& cause, const findings::Summary& summary) {
  std::string text;
  for (const Finding& other : summary.findings) {
    const bool names_it = other.cause.find("see " + cause.id) != std::string::npos;
    if (is_cause(other) || !names_it || other.where != cause.where) continue;
    if (other.table != cause.table) continue;
    text += (text.empty() ? "" : ", ") + other.id;
  }
  return text.empty() ? "" : "why this batch size is slow (" + text + ")";
}

document::Line lead(const Finding& finding, const findings::Summary& summary) {
  return {
      {base::in_one_line(label_of(finding, summary.groups), finding.what), cause_tone(finding)}};
}

Item item(const Finding& finding, const findings::Summary& summary) {
  Item result{lead(finding, summary), {}};
  const auto add = [&](const char* label, const std::string& text, bool code = false) {
    if (!text.empty()) result.fields.push_back({label, text, code});
  };
  const bool export_line = finding.fix.starts_with("export ");
  add("evidence", evidence_text(finding, false));
  add("effect", evidence_text(finding, true));
  add("explains", explained_by(finding, summary));
  const bool open = finding.status == Status::suspected;
  add(!export_line ? "do" : open ? "try" : "set", finding.fix, export_line);
  result.fields.push_back(document::see_field(finding));
  return result;
}

// A size proven slow whose cause was looked for in vain.
bool is_unexplained(const Finding& finding) {
  return !is_cause(finding) && finding.cause == to_string(Status::unexplained);
}

List list_of(Status status, const findings::Summary& summary) {
  List list;
  for (const Finding& finding : summary.findings) {
    if (is_cause(finding) && finding.status == status) list.items.push_back(item(finding, summary));
  }
  if (status != Status::unexplained) return list;
  for (const Finding& finding : summary.findings) {
    if (is_unexplained(finding)) list.items.push_back({lead(finding, summary), {}});
  }
  return list;
}

bool is_slow(const Finding& finding) {
  return finding.status == Status::proven && finding.severity > findings::Severity::info;
}

Document how_to_look(std::span<const schema::RunFile> runs, const Commands& commands) {
  Document document;
  for (const schema::RunFile& run : runs) {
    // Only the program itself can do what it measures again.
    if (run.header.origin != schema::Origin::profile || run.header.plan.diagnose) continue;
    const findings::CommandLine words = commands.diagnose(run.header);
    if (!words.empty()) document.emplace_back(document::Code{shell_command(words)});
  }
  if (document.empty()) return {};
  const char* text = "The causes of the slow sizes are unknown. This command measures them:";
  document.insert(document.begin(), Paragraph{{{text, Tone::plain}}});
  return document;
}

}  // namespace

Document causes_section(const findings::Summary& summary, std::span<const schema::RunFile> runs,
                        const Commands& commands) {
  Document section;
  for (const Kind& kind : kKinds) {
    List list = list_of(kind.status, summary);
    if (list.items.empty()) continue;
    section.emplace_back(document::Heading{1, kind.title});
    section.emplace_back(Paragraph{{{kind.meaning, Tone::dim}}});
    section.emplace_back(std::move(list));
  }
  const bool slow = std::any_of(summary.findings.begin(), summary.findings.end(), is_slow);
  return section.empty() && slow ? how_to_look(runs, commands) : section;
}

}  // namespace batchscope::report
