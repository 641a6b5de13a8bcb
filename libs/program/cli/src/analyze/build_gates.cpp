#include "build_gates.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "batchscope/api/analyze.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/report/build_server.hpp"
#include "output.hpp"

namespace batchscope::cli {
namespace {

using findings::Gate;
using findings::GateCheck;
using findings::Outcome;

void tell_regression(const Gate& gate, bool allowed, const base::Log& log) {
  if (gate.outcome == Outcome::passed) return log.info(gate.message);
  if (gate.outcome == Outcome::inconclusive) {
    const std::string advice = gate.advice.empty() ? "" : " " + gate.advice;
    allowed ? log.warning(gate.message + advice) : log.error(gate.message + advice);
  }
  for (const GateCheck& check : gate.checks) {
    if (check.outcome == Outcome::failed) log.error("regression: " + check.message);
    if (check.outcome == Outcome::inconclusive) log.warning("cannot tell: " + check.message);
  }
}

void tell(const Gate& gate, const GateFlags& flags, const base::Log& log) {
  if (gate.name == findings::GateName::regression)
    return tell_regression(gate, flags.allow_inconclusive, log);
  if (gate.outcome != Outcome::failed) return;
  log.error(gate.name == findings::GateName::finding
                ? fmt::format("a finding has severity {} or more (--fail-on)", *flags.fail_on)
                : "the target precision was not reached (--strict): measure more blocks, or raise "
                  "--target");
}

}  // namespace

base::Result<void> write_gate_reports(std::span<const Gate> gates, const GateFlags& flags,
                                      bool overwrite) {
  const report::GateOptions options{flags.allow_inconclusive};
  if (!flags.annotations.empty()) {
    const std::string lines = report::github_annotations(gates, options);
    std::fputs(lines.c_str(), stderr);
  }
  if (flags.junit.empty()) return {};
  return write_output({flags.junit, overwrite}, report::junit_xml(gates, options));
}

ExitCode code_of(const Gate& gate, bool allow_inconclusive) {
  if (gate.outcome == Outcome::passed) return kDone;
  if (gate.name == findings::GateName::width) return kTargetMissed;
  if (gate.outcome == Outcome::failed) return kFindingReached;
  return allow_inconclusive ? kDone : kCannotTell;
}

ExitCode worse(ExitCode a, ExitCode b) {
  for (const ExitCode code : {kFindingReached, kCannotTell, kTargetMissed}) {
    if (a == code || b == code) return code;
  }
  return kDone;
}

void add_flags(CLI::App& app, GateFlags& flags) {
  app.add_option("--fail-on", flags.fail_on, "exit 5 if a finding is at least this severe");
  app.add_option("--fail-on-regression", flags.fail_on_regression,
                 "exit 5 if a slowdown beyond this margin, such as 3%, is significant, and 6 if it "
                 "is possible");
  app.add_flag("--allow-inconclusive", flags.allow_inconclusive, "exit 0 instead of 6");
  app.add_option("--junit", flags.junit,
                 "write the results of the gates to this file, as JUnit XML");
  app.add_option("--annotations", flags.annotations,
                 "print the results of the gates as a build server's annotations")
      ->check(CLI::IsMember({"github"}));
  app.add_flag("--strict", flags.strict, "exit 4 if the run's target precision was not reached");
}

base::Result<AskedGates> read_gates(const GateFlags& flags, const std::vector<std::string>& runs,
                                    const SideFlags& sides) {
  AskedGates gates;
  if (flags.fail_on) {
    auto severity = findings::parse_severity(*flags.fail_on);
    if (!severity) return std::move(severity).error();
    gates.fail_on = *severity;
  }
  if (flags.fail_on_regression) {
    auto limit = base::parse_ratio(*flags.fail_on_regression);
    if (!limit) return std::move(limit).error();
    const auto enough =
        api::check_regression_gate(runs, sides.baseline.size(), sides.candidate.size());
    if (!enough) return enough.error();
    gates.regression = *limit;
  }
  const bool none = !gates.fail_on && !gates.regression && !flags.strict;
  if (none && (!flags.junit.empty() || !flags.annotations.empty())) {
    return base::Error{base::ErrorKind::usage, "no gate to report",
                       flags.junit.empty() ? "--annotations" : "--junit",
                       "add --fail-on-regression 3%, --fail-on high or --strict"};
  }
  return gates;
}

base::Result<int> finish_gates(const findings::Summary& summary, const GateFlags& flags,
                               bool overwrite, const base::Log& log) {
  ExitCode exit = kDone;
  for (const Gate& gate : summary.gates) {
    if (gate.name == findings::GateName::regression && gate.checks.empty()) {
      return api::no_regression_gate("there is nothing to compare");
    }
    exit = worse(exit, code_of(gate, flags.allow_inconclusive));
  }
  if (auto written = write_gate_reports(summary.gates, flags, overwrite); !written) {
    return written.error();
  }
  for (const Gate& gate : summary.gates) {
    if (flags.annotations.empty()) tell(gate, flags, log);
  }
  return static_cast<int>(exit);
}

}  // namespace batchscope::cli
