#include "batchscope/compare/summary_gates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/findings/metrics.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::compare {
namespace {

using findings::batches;
using findings::Outcome;
using findings::percent;

bool is_excess(const findings::Evidence& evidence) {
  return evidence.metric == findings::metric::kExcessOverSplit.name ||
         evidence.metric == findings::metric::kExcessOverLaw.name ||
         evidence.metric == findings::metric::kExcessOverNeighbours.name;
}

// A size that is faster than the others suggest is nothing that a build should fail for.
bool is_improvement(const findings::Finding& finding) {
  return std::any_of(finding.evidence.begin(), finding.evidence.end(),
                     [](const findings::Evidence& evidence) {
                       return is_excess(evidence) && evidence.estimate.value < 0;
                     });
}

bool reaches(const findings::Finding& finding, findings::Severity severity) {
  return finding.severity >= severity && !is_improvement(finding);
}

std::string name_of(const findings::Finding& finding) {
  const std::string sizes = finding.batch_sizes.empty() ? "" : batches(finding.batch_sizes, "or");
  std::string name = sizes.empty() ? finding.id : fmt::format("{}: {}", finding.id, sizes);
  if (!finding.table.empty()) name += fmt::format(" ({})", finding.table);
  return name;
}

findings::GateCheck width_check(const findings::InputRun& input) {
  findings::GateCheck check;
  check.name = input.path;
  const bool reached = input.half_width && *input.half_width <= input.target;
  check.outcome = reached ? Outcome::passed : Outcome::failed;
  check.message = input.half_width
                      ? fmt::format("{}: the widest CI is ±{}, the target ±{}.", input.path,
                                    percent(*input.half_width), percent(input.target))
                      : fmt::format("{}: too few visits for CIs.", input.path);
  return check;
}

}  // namespace

bool reached_target(const findings::Summary& summary) {
  return !summary.inputs.empty() && std::all_of(summary.inputs.begin(), summary.inputs.end(),
                                                [](const findings::InputRun& input) {
                                                  return input.half_width &&
                                                         *input.half_width <= input.target;
                                                });
}

findings::Gate finding_gate(const findings::Summary& summary, findings::Severity severity) {
  findings::Gate gate;
  gate.name = findings::GateName::finding;
  for (const findings::Finding& finding : summary.findings) {
    if (!reaches(finding, severity)) continue;
    findings::GateCheck check;
    check.name = name_of(finding);
    check.outcome = Outcome::failed;
    check.message = finding.what;
    if (const auto* const config = config_of(finding.where)) check.config = *config;
    gate.checks.push_back(std::move(check));
  }
  const std::string wanted(findings::to_string(severity));
  gate.outcome = gate.checks.empty() ? Outcome::passed : Outcome::failed;
  if (gate.checks.empty()) {
    gate.message = fmt::format("No finding is of severity {} or more.", wanted);
    findings::GateCheck check;
    check.name = "no finding of severity " + wanted + " or more";
    check.outcome = Outcome::passed;
    check.message = gate.message;
    gate.checks.push_back(std::move(check));
  } else {
    const std::size_t n = gate.checks.size();
    gate.message = fmt::format("{} finding{} of severity {} or more, the worst: {}", n,
                               n == 1 ? " is" : "s are", wanted, gate.checks.front().message);
  }
  return gate;
}

findings::Gate width_gate(const findings::Summary& summary) {
  findings::Gate gate;
  gate.name = findings::GateName::width;
  for (const findings::InputRun& input : summary.inputs) {
    gate.checks.push_back(width_check(input));
  }
  gate.outcome = reached_target(summary) ? Outcome::passed : Outcome::failed;
  gate.message =
      gate.outcome == Outcome::passed
          ? "The run reached its target precision."
          : "The target precision was not reached: measure more blocks, or raise --target.";
  return gate;
}

}  // namespace batchscope::compare
