#include "batchscope/findings/catalogue.hpp"
#include "rules.hpp"

namespace batchscope::advice {

findings::Finding finding_of(std::string_view id, const std::string& device) {
  findings::Finding finding;
  finding.id = id;
  finding.status = findings::Status::measured;
  finding.table = device;
  finding.doc = findings::doc_link(id);
  return finding;
}

findings::Severity severity_of_gain(double high) {
  if (high >= 0.20) return findings::Severity::high;
  if (high >= 0.10) return findings::Severity::medium;
  return high >= 0.05 ? findings::Severity::low : findings::Severity::info;
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
