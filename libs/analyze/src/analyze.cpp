#include "batchscope/analyze/analyze.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "advice/learning_rate.hpp"
#include "advice/picks_and_findings.hpp"
#include "advice/recommend.hpp"
#include "advice/training_findings.hpp"
#include "batchscope/timing/evidence.hpp"
#include "causes/cause_findings.hpp"
#include "causes/diagnostics.hpp"
#include "causes/loading.hpp"
#include "claims/claim_findings.hpp"
#include "claims/other_axes.hpp"
#include "comparisons/comparisons.hpp"
#include "gates/planned_pairs.hpp"
#include "gates/regression_gate.hpp"
#include "gates/run_sides.hpp"
#include "sizes/memory_law.hpp"
#include "sizes/smooth_facts.hpp"
#include "summary_words.hpp"
#include "tables/axes.hpp"
#include "tables/scaling_table.hpp"
#include "warnings/warnings.hpp"

namespace batchscope::analyze {
namespace {

std::vector<std::string> names_of(std::span<const schema::RunFile> runs, const Options& options) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    names.push_back(i < options.names.size() ? options.names[i] : fmt::format("run {}", i + 1));
  }
  return names;
}

int complete_blocks_of(const RunView& view) {
  std::size_t least = 0;
  bool first = true;
  for (const GroupData& group : view.groups) {
    const std::size_t n = complete_blocks(testable_columns(group, false)).blocks.size();
    least = first ? n : std::min(least, n);
    first = false;
  }
  return static_cast<int>(least);
}

findings::InputRun input_of(const RunView& view, const std::string& name, const Options& options) {
  const schema::RunFile& run = *view.run;
  findings::InputRun input;
  input.path = name;
  input.created = run.header.created;
  input.host = run.header.machine.host;
  input.cpu = run.header.machine.cpu;
  input.blocks = complete_blocks_of(view);
  input.target = run.header.plan.target;
  input.models = run.header.models;
  if (run.end) {
    input.end_reason = run.end->reason;
    input.wall_s = run.end->wall_s;
    if (run.end->wall_s > 0) input.iteration_share = run.end->iteration_s / run.end->wall_s;
  }
  if (view.repeated) {
    for (const GroupData& group : view.groups) {
      const auto half = widest_contrast(group, options);
      if (half && (!input.half_width || *half > *input.half_width)) input.half_width = half;
    }
  }
  return input;
}

findings::Verdict verdict_of(const findings::ConfigRow& row,
                             const std::vector<findings::Finding>& findings, const RunView& view) {
  findings::Verdict verdict = findings::Verdict::ok;
  const bool tested = view.repeated && row.n >= timing::kPairsToProve;
  if (!tested) verdict = findings::Verdict::untestable;
  for (const findings::Finding& finding : findings) {
    const bool meant = std::find(finding.batch_sizes.begin(), finding.batch_sizes.end(),
                                 row.config.shape.batch_size) != finding.batch_sizes.end();
    if (!meant || finding.id == "scaling.no-law") continue;
    if (finding.status == findings::Status::proven) return findings::Verdict::proven;
    verdict = findings::Verdict::suspect;
  }
  return verdict;
}

// What tells a table from the others of all runs; empty when there is no other.
std::string table_name(const RunView& view, std::size_t g, const std::string& prefix) {
  std::vector<schema::RunConfig> keys;
  for (const GroupData& group : view.groups) keys.push_back(group.key);
  const std::string name = axis_words(keys[g], keys);
  return name.empty() && !prefix.empty() ? prefix.substr(0, prefix.size() - 2) : prefix + name;
}

void name_tables(std::vector<findings::Finding>& findings,
                 const std::vector<findings::Group>& groups) {
  for (findings::Finding& finding : findings) {
    const schema::RunConfig* const where = config_of(finding.where);
    for (const findings::Group& group : groups) {
      const bool is_there = where != nullptr && without_batch_size(*where) == group.key;
      if (is_there) finding.table = group.table;
    }
  }
}

void warn_of_current_size(const RunView& view, const std::string& prefix, const Options& options,
                          findings::Summary& summary) {
  const auto& of_plan = view.run->header.plan.current_batch_size;
  const auto size = options.current_batch_size ? options.current_batch_size : of_plan;
  const bool known =
      std::any_of(view.run->configs.begin(), view.run->configs.end(),
                  [&](const schema::RunConfig& config) { return config.shape.batch_size == size; });
  if (!size || known) return;
  summary.warnings.push_back(
      fmt::format("{}Batch {}, the current size, was not measured; gains are against the smallest.",
                  prefix, *size));
}

std::vector<findings::Recommendation> recommendations_of(const RunView& view,
                                                         const std::vector<findings::Group>& groups,
                                                         const Options& options, std::size_t run) {
  const bool searched = run < options.recommendations.size() && options.recommendations[run];
  if (searched) return {*options.recommendations[run]};
  return recommend(view, groups, options);
}

// One run's tables and findings, appended to the summary; `prefix` tells runs apart.
void add_run(const RunView& view, std::size_t run, const std::string& prefix,
             const Options& options, findings::Summary& summary) {
  const std::vector<GroupClaims> claims = test_claims(view, options);
  std::vector<findings::Group> groups;
  std::vector<findings::Finding> findings;
  std::vector<std::size_t> group_of;
  for (std::size_t g = 0; g < view.groups.size(); ++g) {
    findings::Group group = scaling_table(view.groups[g], options);
    group.label = prefix + group.label;
    fill_smooth_facts(view, view.groups[g], claims[g], options, group);
    group.memory_laws = memory_laws_of(group, view.run->header, options.memory_limit_bytes);
    std::vector<findings::Finding> found = findings_of(claims[g], view, group, options);
    group.table = table_name(view, g, prefix);
    group.diagnostics = diagnostics_of(view, view.groups[g]);
    for (findings::Finding& finding : found) finding.table = group.table;
    for (findings::ConfigRow& row : group.rows) row.verdict = verdict_of(row, found, view);
    group_of.insert(group_of.end(), found.size(), g);
    std::move(found.begin(), found.end(), std::back_inserter(findings));
    groups.push_back(std::move(group));
  }
  tell_of_other_axes(findings, group_of, groups, claims);
  std::vector<findings::Finding> causes = cause_findings(view, options);
  name_tables(causes, groups);
  std::move(causes.begin(), causes.end(), std::back_inserter(findings));
  attribute(findings, view);
  std::vector<findings::Recommendation> picks = recommendations_of(view, groups, options, run);
  reconcile(picks, findings);
  for (findings::Recommendation& pick : picks) {
    pick.message = prefix + pick.message;
    summary.recommendations.push_back(std::move(pick));
  }
  for (const std::string& warning : warnings_of(view)) summary.warnings.push_back(prefix + warning);
  warn_of_current_size(view, prefix, options, summary);
  std::move(groups.begin(), groups.end(), std::back_inserter(summary.groups));
  std::move(findings.begin(), findings.end(), std::back_inserter(summary.findings));
}

// How far off the finding's size is, as a ratio; 0 for what has no size.
double extent(const findings::Finding& finding) {
  double largest = 0;
  for (const findings::Evidence& evidence : finding.evidence) {
    if (evidence.unit == "ratio") largest = std::max(largest, std::abs(evidence.estimate.value));
  }
  return largest;
}

std::string nothing_in_common(const findings::Summary& summary) {
  std::string text = "The runs have no configuration in common, so nothing is compared:";
  for (const findings::Group& group : summary.groups) text += fmt::format(" [{}]", group.label);
  return text + ".";
}

// Compares tables with each other, so the comparisons are there.
void add_training(const schema::Header& header, const Options& options,
                  findings::Summary& summary) {
  confirm_loading(summary.comparisons, summary.findings);
  std::vector<findings::Finding> findings = training_findings(summary);
  auto current =
      options.current_batch_size ? options.current_batch_size : header.plan.current_batch_size;
  // Every step takes as many samples, whichever size is the current one.
  if (header.axes.contains("effective_batch")) current.reset();
  for (findings::Finding& each : learning_rate_findings(summary, current)) {
    findings.push_back(std::move(each));
  }
  name_tables(findings, summary.groups);
  add_loss_doubts(findings, summary.recommendations);
  std::move(findings.begin(), findings.end(), std::back_inserter(summary.findings));
}

// Every contrast there is between the runs, or within the only one; and the gate, where one was
// asked for, which judges them by bounds of its own.
void add_comparisons(const std::vector<RunView>& views, const std::vector<std::string>& names,
                     const Options& options, findings::Summary& summary) {
  if (views.empty()) return;
  const RunSides sides = sides_of(views, options);
  const bool has_sides = !sides.baseline.empty() && !sides.candidate.empty();
  std::vector<Open> all = views.size() == 1 ? compare_within(views.front(), options)
                          : has_sides       ? compare_sides(sides, options)
                                            : compare_runs(views, names, options);
  if (options.regression_margin) {
    const auto planned = views.size() == 1 ? planned_within(views.front())
                         : has_sides       ? planned_between(sides)
                                           : std::vector<PlannedPair>{};
    summary.gates.push_back(regression_gate(planned, all, *options.regression_margin, options));
  }
  summary.comparisons = judge(std::move(all), options);
}

bool is_shown(const findings::Finding& finding) {
  return finding.status == findings::Status::proven ||
         finding.status == findings::Status::confirmed;
}

bool is_worse(const findings::Finding& a, const findings::Finding& b) {
  if (a.severity != b.severity) return a.severity > b.severity;
  if (is_shown(a) != is_shown(b)) return is_shown(a);
  return extent(a) > extent(b);
}

}  // namespace

findings::Summary analyze(std::span<const schema::RunFile> runs, const Options& options) {
  findings::Summary summary;
  if (runs.empty()) summary.warnings.push_back("No run to analyse.");
  const std::vector<std::string> names = names_of(runs, options);
  std::vector<RunView> views;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    views.push_back(view_run(runs[i]));
    summary.inputs.push_back(input_of(views.back(), names[i], options));
    add_run(views.back(), i, runs.size() > 1 ? names[i] + ": " : "", options, summary);
  }
  add_comparisons(views, names, options, summary);
  if (runs.size() > 1) {
    if (has_other_lengths(views)) {
      summary.warnings.push_back(
          "The runs made other batches of the same mix of lengths or of other texts, so these are "
          "not compared: give the runs one --seed, and the same texts.");
    }
    if (summary.comparisons.empty()) summary.warnings.push_back(nothing_in_common(summary));
  }
  if (runs.size() == 1) add_training(runs.front().header, options, summary);
  std::stable_sort(summary.findings.begin(), summary.findings.end(), is_worse);
  summary.words = words_of(views, summary, options);
  return summary;
}

}  // namespace batchscope::analyze
