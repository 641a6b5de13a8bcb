#include "batchscope/analyze/gates.hpp"

#include <algorithm>

namespace batchscope::analyze {
namespace {

// Two versions of the same thing. That fp32 is slower than bf16, or training than inference, is no
// regression.
bool compares_versions(const schema::Comparison& comparison) {
  return comparison.axis == "model" || comparison.axis == "run" || comparison.axis == "environment";
}

}  // namespace

bool has_finding(const schema::Summary& summary, schema::Severity severity) {
  return std::any_of(summary.findings.begin(), summary.findings.end(),
                     [&](const schema::Finding& finding) { return finding.severity >= severity; });
}

std::vector<const schema::Comparison*> regressions(const schema::Summary& summary, double limit) {
  std::vector<const schema::Comparison*> found;
  for (const schema::Comparison& comparison : summary.comparisons) {
    const bool beyond = comparison.ratio.ci && comparison.ratio.ci->low > 1 + limit;
    if (comparison.significant && beyond && compares_versions(comparison))
      found.push_back(&comparison);
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
