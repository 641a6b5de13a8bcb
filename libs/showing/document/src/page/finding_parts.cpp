#include "batchscope/document/finding_parts.hpp"

#include <fmt/format.h>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/document/html.hpp"

namespace batchscope::document {
namespace {

using findings::Finding;

// Its kind by name, which leads to what it means.
std::string kind_link(const Finding& finding, std::span<const FindingKind> kinds) {
  const FindingKind* const kind = findings::find_kind(kinds, finding.id);
  if (kind == nullptr) return html_text(finding.id);
  return fmt::format("<a href=\"#{}\">{}</a>", explanation_anchor(kind->id),
                     html_text(kind->title));
}

}  // namespace

const char* card_style(const Finding& finding) {
  if (finding.status == findings::Status::suspect) return "caution";
  if (finding.severity == findings::Severity::info) return "plain";
  return finding.severity == findings::Severity::low ? "caution" : "bad";
}

std::string kind_html(const Finding& finding, std::span<const FindingKind> kinds) {
  return fmt::format("<p class=\"card-kind\"><span class=\"badge {}\">{}, {}</span> {}</p>\n",
                     card_style(finding), findings::to_string(finding.severity),
                     findings::to_string(finding.status), kind_link(finding, kinds));
}

KeyValue see_field(const Finding& finding) {
  return {"see", finding.doc.empty() ? finding.id : finding.doc};
}

std::string explanations(std::span<const Finding> findings, std::span<const FindingKind> kinds) {
  std::vector<std::string> ids;
  for (const Finding& finding : findings) base::add_if_new(ids, finding.id);
  std::string out;
  for (const std::string& id : ids) {
    const FindingKind* const kind = findings::find_kind(kinds, id);
    if (kind == nullptr) continue;
    const auto paragraph = [&](const char* label, std::string_view text) {
      return text.empty() ? ""
                          : fmt::format("<p><strong>{}</strong> {}</p>\n", label, html_text(text));
    };
    out += fmt::format("<h3 id=\"{}\">{}</h3>\n", explanation_anchor(id), html_text(kind->title));
    out += paragraph("Meaning.", kind->tells) + paragraph("What to do.", kind->does) +
           paragraph("Severity.", kind->severity);
  }
  return out;
}

}  // namespace batchscope::document
