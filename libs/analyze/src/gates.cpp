#include "batchscope/analyze/gates.hpp"

#include <algorithm>

namespace batchscope::analyze {

bool has_finding(const schema::Summary& summary, schema::Severity severity) {
  return std::any_of(summary.findings.begin(), summary.findings.end(),
                     [&](const schema::Finding& finding) { return finding.severity >= severity; });
}

std::vector<const schema::Comparison*> regressions(const schema::Summary& summary, double limit) {
  std::vector<const schema::Comparison*> found;
  for (const schema::Comparison& comparison : summary.comparisons) {
    const bool beyond = comparison.ratio.ci && comparison.ratio.ci->low > 1 + limit;
    if (comparison.significant && beyond) found.push_back(&comparison);
  }
  return found;
}

bool is_precise(const schema::Summary& summary) {
  return !summary.inputs.empty() && std::all_of(summary.inputs.begin(), summary.inputs.end(),
                                                [](const schema::InputRun& input) {
                                                  return input.half_width &&
                                                         *input.half_width <= input.target;
                                                });
}

}  // namespace batchscope::analyze
