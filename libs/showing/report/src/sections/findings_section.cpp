#include "findings_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/document/finding_parts.hpp"
#include "batchscope/findings/by_group.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/metrics.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::report {
namespace {

using document::Item;
using document::List;
using document::Tone;
using findings::Finding;
using findings::fixed;
using findings::inline_estimate;
using findings::is_outside_a_run;
using findings::p_in_words;
using findings::percent;
using findings::plain;
using findings::Quantity;
using findings::Severity;

// A table of many sizes without repeats holds more suspicions than anybody reads.
constexpr std::size_t kMostSuspects = 12;

// A size that takes less than the others suggest: good to know, and no alarm.
bool is_better(const Finding& finding) {
  if (finding.id != findings::kDeparture) return false;
  const auto ratio = std::find_if(finding.evidence.begin(), finding.evidence.end(),
                                  [](auto& each) { return each.unit == findings::kRatioUnit; });
  return ratio != finding.evidence.end() && ratio->estimate.value < 0;
}

Tone tone_of(const Finding& finding) {
  // Green is for what is shown.
  const bool shown = finding.status == findings::Status::proven;
  if (is_better(finding)) return shown ? Tone::good : Tone::plain;
  if (finding.status == findings::Status::suspect) return Tone::caution;
  switch (finding.severity) {
    case Severity::info:
      return Tone::plain;
    case Severity::low:
      return Tone::caution;
    case Severity::medium:
    case Severity::high:
      return Tone::bad;
  }
  return Tone::plain;
}

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

std::string share_in_words(const findings::Estimate& share) {
  std::string text = percent(share.value);
  if (share.ci) text += fmt::format(" [{}, {}]", percent(share.ci->low), percent(share.ci->high));
  return text;
}

// A count is whole, or has no more digits than it deserves.
std::string amount_in_words(const findings::Estimate& amount) {
  if (amount.ci) return inline_estimate(amount, Quantity::amount);
  return amount.value == std::round(amount.value) ? fixed(amount.value, 0) : plain(amount.value);
}

std::string evidence_text(const Finding& finding) {
  std::string text;
  const auto add = [&](const std::string& piece) { text += (text.empty() ? "" : "; ") + piece; };
  for (const findings::Evidence& evidence : finding.evidence)
    add(evidence_in_words(finding, evidence));
  if (finding.p_value) add(p_in_words(*finding.p_value));
  return text;
}

std::string gain_text(const Finding& finding) {
  if (!finding.gain) return "";
  const bool ratio = finding.gain_unit == findings::kRatioUnit;
  const auto number = [&](double value) { return ratio ? percent(value) : plain(value); };
  const std::string low = number(finding.gain->low), high = number(finding.gain->high);
  const std::string range = low == high ? low : low + " to " + high;
  return ratio ? range + " of the time" : range + " " + finding.gain_unit;
}

std::string mark_of(const Finding& finding) {
  const std::string severity =
      is_better(finding) ? "BETTER" : upper(findings::to_string(finding.severity));
  return fmt::format("{}, {}:", severity, to_string(finding.status));
}

// What else is found at the same size: a line of evidence for what leads.
void add_to(Item& item, const Finding& finding) {
  const std::string evidence = evidence_text(finding);
  item.fields.push_back({is_cause(finding) ? "cause" : "also",
                         fmt::format("{} ({}{}{})", finding.what, to_string(finding.status),
                                     evidence.empty() ? "" : ": ", evidence)});
  if (!finding.fix.empty()) item.fields.push_back({"do", finding.fix});
  item.fields.push_back(document::see_field(finding));
}

Item item(const Finding& finding) {
  Item result;
  const std::string mark = mark_of(finding);
  const std::string place = is_outside_a_run(finding) ? in_words(finding.where) : "";
  result.lead = {{mark, tone_of(finding)},
                 {" " + base::in_one_line(place, finding.what), Tone::strong}};
  const auto add = [&](const char* label, const std::string& text) {
    if (!text.empty()) result.fields.push_back({label, text});
  };
  add("evidence", evidence_text(finding));
  add("cause", finding.cause);
  add("gain", gain_text(finding));
  add("do", finding.fix);
  result.fields.push_back(document::see_field(finding));
  return result;
}

// One size of one table: a finding each says the same to whoever runs it.
bool is_of_same_size(const Finding& a, const Finding& b) {
  const schema::RunConfig* const where = config_of(a.where);
  const schema::RunConfig* const other = config_of(b.where);
  // What is about no configuration in particular has an empty one.
  const bool both = where != nullptr && other != nullptr && !where->model.empty();
  const bool single = a.batch_sizes.size() <= 1 && b.batch_sizes.size() <= 1;
  return both && single && *where == *other && a.table == b.table;
}

}  // namespace

bool is_cause(const Finding& finding) {
  return finding.id.starts_with("cause.");
}

std::string evidence_in_words(const Finding& finding, const findings::Evidence& evidence) {
  const bool ratio = evidence.unit == findings::kRatioUnit;
  const std::string words = findings::metric_in_words(evidence) + " ";
  // What a cause does is a share of the time; what a batch size shows is a ratio of times.
  if (ratio && is_cause(finding)) return words + share_in_words(evidence.estimate);
  if (ratio) return words + inline_estimate(evidence.estimate, Quantity::ratio);
  return words + amount_in_words(evidence.estimate) +
         (evidence.unit.empty() ? "" : " " + evidence.unit);
}

std::string no_outliers(const findings::Summary& summary) {
  const auto& groups = summary.groups;
  const bool comparable =
      std::any_of(groups.begin(), groups.end(),
                  [](const findings::Group& group) { return group.rows.size() > 1; });
  return comparable ? "No batch size differs from the trend of the others."
                    : "Each setting has one batch size, so there is no trend to compare.";
}

List findings_list(const std::vector<Finding>& findings) {
  List list;
  std::size_t suspects = 0;
  // Those that lead an item each, in its place.
  std::vector<const Finding*> leads;
  for (const Finding& finding : findings) {
    const auto same = std::find_if(leads.begin(), leads.end(), [&](const Finding* lead) {
      return is_of_same_size(*lead, finding);
    });
    if (same != leads.end()) {
      add_to(list.items[static_cast<std::size_t>(same - leads.begin())], finding);
      continue;
    }
    if (finding.status == findings::Status::suspect && ++suspects > kMostSuspects) continue;
    list.items.push_back(item(finding));
    leads.push_back(&finding);
  }
  if (suspects > kMostSuspects) {
    const std::string rest =
        fmt::format("Not shown: {} (--format json lists all).",
                    base::counted(suspects - kMostSuspects, "smaller suspicion"));
    list.items.push_back({{{rest, Tone::dim}}, {}});
  }
  return list;
}

}  // namespace batchscope::report
