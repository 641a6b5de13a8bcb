#include "texts/finding_list.hpp"

#include <fmt/format.h>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/subject.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::monitorpage {
namespace {

using document::Field;
using document::Item;
using document::Tone;
using findings::Evidence;
using findings::Finding;
using watch::Standing;

// "power_watts 412 W".
std::string evidence_words(const Evidence& evidence) {
  const findings::Estimate& estimate = evidence.estimate;
  if (evidence.unit == findings::kRatioUnit) {
    return evidence.metric + " " + findings::percent(estimate.value) +
           findings::in_interval(estimate.ci);
  }
  const std::string value = estimate.ci
                                ? findings::inline_estimate(estimate, findings::Quantity::amount)
                                : findings::brief(estimate.value);
  return evidence.metric + " " + value + (evidence.unit.empty() ? "" : " " + evidence.unit);
}

Tone tone_of(const Finding& finding) {
  if (finding.severity >= findings::Severity::medium) return Tone::bad;
  return finding.severity == findings::Severity::low ? Tone::caution : Tone::plain;
}

}  // namespace

std::vector<Field> finding_fields(const Standing& standing, const Recorded& recorded) {
  const Finding& finding = standing.finding;
  std::vector<Field> fields{{"when", when_words(span_of(standing, recorded))}};
  if (const std::string where = findings::in_words(finding.where); !where.empty()) {
    fields.push_back({"where", where});
  }
  if (!finding.evidence.empty()) {
    fields.push_back(
        {"evidence", base::join(base::mapped(finding.evidence, evidence_words), "; ")});
  }
  if (!finding.cause.empty()) {
    fields.push_back({"cause", base::spell(finding.cause, base::name_of)});
  }
  if (finding.gain && finding.gain_unit == findings::kRatioUnit) {
    fields.push_back({"gain", findings::percent_range(*finding.gain) + " of the time"});
  }
  return fields;
}

document::List finding_list(const std::vector<Standing>& standings, const Recorded& recorded) {
  document::List list;
  for (const Standing& standing : standings) {
    const Finding& finding = standing.finding;
    Item item;
    item.lead = {{fmt::format("{}, {}: ", to_string(finding.severity), to_string(finding.status)),
                  tone_of(finding)},
                 {base::spell(finding.what, base::name_of), Tone::plain}};
    item.fields = finding_fields(standing, recorded);
    if (!finding.fix.empty()) {
      item.fields.push_back({"try", base::spell(finding.fix, base::name_of)});
    }
    item.fields.push_back(
        {"see", finding.doc.empty() ? finding.id : finding.id + ", " + finding.doc});
    list.items.push_back(std::move(item));
  }
  return list;
}

}  // namespace batchscope::monitorpage
