#include "finding_cards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/document/finding_parts.hpp"
#include "batchscope/document/html.hpp"
#include "batchscope/findings/by_group.hpp"
#include "sections/findings_section.hpp"
#include "small_chart.hpp"

namespace batchscope::report {
namespace {

using document::card_style;
using document::html_text;
using document::KeyValue;
using document::kind_html;
using document::render_html;
using findings::Finding;
using findings::Group;
using findings::label_of;
using findings::Summary;

// A table of many sizes without repeats holds more suspicions than anybody reads.
constexpr std::size_t kMostSuspectCards = 12;

// What is told of one place, the worst first.
struct Card {
  const Group* group = nullptr;  // the table that it is about, where that is known
  std::vector<Finding> findings;
};

const Group* table_of(const Finding& finding, const std::vector<Group>& groups) {
  const schema::RunConfig* const where = config_of(finding.where);
  if (where == nullptr) return nullptr;
  const schema::RunConfig key = schema::without_batch_size(*where);
  const Group* found = nullptr;
  for (const Group& group : groups) {
    if (group.key != key) continue;
    if (!finding.table.empty() && group.table != finding.table) continue;
    if (found != nullptr) return nullptr;
    found = &group;
  }
  return found;
}

bool belongs(const Card& card, const Group* group, const Finding& finding) {
  return group != nullptr && card.group == group && !finding.batch_sizes.empty() &&
         card.findings.front().batch_sizes == finding.batch_sizes;
}

bool is_suspect(const Finding& finding) {
  return finding.status == findings::Status::suspect;
}

std::vector<Card> cards_of(const Summary& summary) {
  std::vector<Card> cards;
  for (const Finding& finding : summary.findings) {
    if (is_cause(finding)) continue;
    const Group* const group = table_of(finding, summary.groups);
    const auto same = std::find_if(cards.begin(), cards.end(),
                                   [&](const Card& card) { return belongs(card, group, finding); });
    if (same == cards.end()) {
      cards.push_back({group, {finding}});
    } else {
      same->findings.push_back(finding);
    }
  }
  return cards;
}

// What the text report says of it, but for what the card says in its own way.
std::string details_html(const Finding& finding) {
  document::List list = findings_list({finding});
  if (list.items.empty()) return "";
  std::vector<KeyValue>& fields = list.items.front().fields;
  std::erase_if(fields, [](const KeyValue& field) { return field.label == "see"; });
  return fields.empty() ? "" : render_html({document::KeyValues{fields}});
}

std::string card_title(const Finding& finding, const Summary& summary) {
  return base::in_one_line(label_of(finding, summary.groups), finding.what);
}

std::string card_html(const Card& card, const Summary& summary) {
  const Finding& first = card.findings.front();
  std::string also;
  for (std::size_t i = 1; i < card.findings.size(); ++i) {
    const Finding& finding = card.findings[i];
    also += kind_html(finding, analyze::kinds()) + "<p>" + html_text(finding.what) + "</p>\n" +
            details_html(finding);
  }
  return fmt::format(
      "<article class=\"card is-{}\">\n<div class=\"card-text\">\n{}<h3>{}</h3>\n{}{}</div>\n{}"
      "</article>\n",
      card_style(first), kind_html(first, analyze::kinds()), html_text(card_title(first, summary)),
      details_html(first), also.empty() ? "" : "<div class=\"also\">\n" + also + "</div>\n",
      card.group == nullptr || first.batch_sizes.empty()
          ? ""
          : small_chart(summary, *card.group, first.batch_sizes));
}

std::string left_out_html(std::size_t suspects) {
  if (suspects <= kMostSuspectCards) return "";
  return fmt::format("<p class=\"dim\">Not shown: {} (--format json lists all).</p>\n",
                     base::counted(suspects - kMostSuspectCards, "smaller suspicion"));
}

}  // namespace

std::string finding_cards(const Summary& summary) {
  std::string out;
  std::size_t suspects = 0;
  for (const Card& card : cards_of(summary)) {
    if (is_suspect(card.findings.front()) && ++suspects > kMostSuspectCards) continue;
    out += card_html(card, summary);
  }
  if (!out.empty()) return "<div class=\"cards\">\n" + out + "</div>\n" + left_out_html(suspects);
  if (summary.groups.empty()) return "";
  return "<p>" + no_outliers(summary) + "</p>\n";
}

}  // namespace batchscope::report
