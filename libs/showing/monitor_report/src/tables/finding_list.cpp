#include <fmt/format.h>

#include <cmath>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/document/finding_parts.hpp"
#include "batchscope/findings/metrics.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"
#include "tables/tables.hpp"

namespace batchscope::monitor_report {
namespace {

using document::Item;
using document::KeyValue;
using findings::Evidence;
using findings::Finding;
using watch::ActiveFinding;

// "1.21 TiB (1.20 TiB to 1.23 TiB)".
template <class InWords>
std::string with_interval(const findings::Estimate& estimate, InWords in_words) {
  if (!estimate.ci) return in_words(estimate.value);
  return fmt::format("{} ({} to {})", in_words(estimate.value), in_words(estimate.ci->low),
                     in_words(estimate.ci->high));
}

std::string bytes(double value) {
  return base::format_bytes(std::llround(value));
}

// "power draw 412 W".
std::string evidence_words(const Evidence& evidence) {
  const findings::Estimate& estimate = evidence.estimate;
  const std::string what = findings::metric_in_words(evidence) + " ";
  if (evidence.unit == findings::kRatioUnit) {
    return what + findings::percent(estimate.value) + findings::in_interval(estimate.ci);
  }
  if (evidence.unit == "bytes") return what + with_interval(estimate, bytes);
  if (evidence.unit == "s") return what + with_interval(estimate, base::format_seconds);
  const std::string value = estimate.ci
                                ? findings::inline_estimate(estimate, findings::Quantity::amount)
                                : findings::brief(estimate.value);
  return what + value + (evidence.unit.empty() ? "" : " " + evidence.unit);
}

document::Tone tone_of(const Finding& finding) {
  if (finding.severity >= findings::Severity::medium) return document::Tone::bad;
  return finding.severity == findings::Severity::low ? document::Tone::caution
                                                     : document::Tone::plain;
}

}  // namespace

std::vector<KeyValue> finding_fields(const ActiveFinding& active, const RecordedSeries& recorded) {
  const Finding& finding = active.finding;
  std::vector<KeyValue> fields{{"when", when_words(active_time_of(active, recorded))}};
  if (const std::string where = findings::subject_in_words(finding.where); !where.empty()) {
    fields.push_back({"where", where});
  }
  if (!finding.table.empty()) fields.push_back({"loop", finding.table});
  if (!finding.evidence.empty()) {
    fields.push_back(
        {"evidence", base::join(base::mapped(finding.evidence, evidence_words), "; ")});
  }
  if (!finding.cause.empty()) {
    fields.push_back({"cause", finding.cause});
  }
  if (finding.gain && finding.gain_unit == findings::kRatioUnit) {
    fields.push_back({"gain", findings::percent_range(*finding.gain) + " of the time"});
  }
  return fields;
}

document::List finding_list(const std::vector<ActiveFinding>& active_findings,
                            const RecordedSeries& recorded) {
  document::List list;
  for (const ActiveFinding& active : active_findings) {
    const Finding& finding = active.finding;
    Item item;
    item.lead = {{fmt::format("{}, {}: ", to_string(finding.severity), to_string(finding.status)),
                  tone_of(finding)},
                 {finding.what, document::Tone::plain}};
    item.fields = finding_fields(active, recorded);
    if (!finding.fix.empty()) {
      item.fields.push_back({"try", finding.fix});
    }
    item.fields.push_back(document::see_field(finding));
    list.items.push_back(std::move(item));
  }
  return list;
}

}  // namespace batchscope::monitor_report
