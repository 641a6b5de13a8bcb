#include "batchscope/api/compare.hpp"

#include <fmt/format.h>

#include <utility>

#include "batchscope/api/analyze.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/compare/machines.hpp"
#include "batchscope/compare/versions.hpp"
#include "batchscope/timing/evidence.hpp"

namespace batchscope::api {
namespace {

AnalyzeOptions analysis_for(const CompareOptions& options) {
  AnalyzeOptions asked;
  asked.analysis.names = options.names;
  asked.analysis.level = options.level;
  asked.analysis.baseline_runs = options.old_runs;
  asked.analysis.runs_in_pairs = options.in_pairs;
  asked.analysis.regression_margin = options.margin;
  return asked;
}

const findings::Gate* gate_in(const findings::Summary& summary) {
  for (const findings::Gate& gate : summary.gates) {
    if (!gate.checks.empty()) return &gate;
  }
  return nullptr;
}

// A side of several runs is a folder.
std::string what_would_tell() {
  return fmt::format(
      "measure both versions in one run (batchscope profile -m OLD -m NEW), or give two folders, "
      "each with at least {} runs of one version",
      timing::kRunsToProve);
}

base::Error nothing_to_compare(std::size_t runs) {
  return {base::ErrorKind::usage,
          runs > 1 ? "the two sides have no configuration in common"
                   : "the run measured one version only",
          "", what_would_tell()};
}

// The gate, too, has an answer; it calls the sides baseline and candidate.
void lead_by(const findings::VersionComparison& made, const CompareOptions& options,
             findings::Summary& summary) {
  for (findings::Comparison& each : summary.comparisons) {
    if (options.old_runs == 0) break;
    each.base = options.old_name;
    each.other = options.new_name;
  }
  findings::Answer& answer = summary.answer;
  answer.headline = base::without_period(made.message);
  if (answer.gain) answer.against = made.old_name;
  answer.next = made.advice;
  answer.command.clear();
  put_lines(answer);
}

}  // namespace

base::Result<ComparedVersions> compare(const Program& program,
                                       std::span<const schema::RunFile> runs,
                                       const CompareOptions& options) {
  auto summary = analyze(program, runs, analysis_for(options));
  if (!summary) return summary.error();
  if (gate_in(*summary) == nullptr) return nothing_to_compare(runs.size());
  const compare::VersionSides sides{options.old_name, options.new_name, options.old_runs,
                                    runs.size() - options.old_runs};
  auto made = compare::version_comparison(*summary, sides);
  const bool open = made.verdict == findings::VersionVerdict::cannot_tell;
  if (open && compare::has_too_few_runs(sides)) {
    made.advice = "To tell, " + what_would_tell() + ".";
  }
  const auto machines =
      compare::other_machines(runs.first(options.old_runs), runs.subspan(options.old_runs));
  if (options.old_runs > 0 && machines) made.warnings.push_back(*machines);
  lead_by(made, options, *summary);
  return ComparedVersions{std::move(made), *std::move(summary)};
}

}  // namespace batchscope::api
