#include "batchscope/base/strings.hpp"
#include "rules.hpp"

namespace batchscope::advice {

findings::Finding finding_of(const Kind& kind, const std::string& device) {
  findings::Finding finding;
  finding.id = kind.id;
  finding.severity = kind.fixed_severity();
  finding.status = findings::Status::measured;
  finding.table = device;
  finding.doc = findings::doc_link(kind.id);
  return finding;
}

std::string first_sentence(const findings::Finding& finding) {
  return base::capitalised(finding.what.substr(0, finding.what.find("; ")));
}

findings::Severity severity_of_gain(double high) {
  if (high >= kHighGain) return findings::Severity::high;
  if (high >= kMediumGain) return findings::Severity::medium;
  return high >= kLowGain ? findings::Severity::low : findings::Severity::info;
}

void set_gain(double low, double high, findings::Finding& finding) {
  finding.gain = stats::Interval{low, high};
  finding.gain_unit = findings::kRatioUnit;
  finding.severity = severity_of_gain(high);
}

double DeviceFacts::share(int64_t ns) const {
  const int64_t wall = time.wall_ns();
  return wall > 0 ? static_cast<double>(ns) / static_cast<double>(wall) : 0;
}

}  // namespace batchscope::advice
