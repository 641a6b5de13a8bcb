#include "batchscope/analyze/analyze.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "advice/learning_rate.hpp"
#include "advice/recommend.hpp"
#include "advice/recommendation_words.hpp"
#include "advice/training_findings.hpp"
#include "answer/answer.hpp"
#include "batchscope/causes/cause_findings.hpp"
#include "batchscope/causes/diagnostics.hpp"
#include "batchscope/causes/loading.hpp"
#include "batchscope/compare/compare.hpp"
#include "batchscope/findings/catalogue.hpp"
#include "batchscope/findings/metrics.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/tables/scaling_table.hpp"
#include "batchscope/tables/tables.hpp"
#include "batchscope/timing/evidence.hpp"
#include "loaders/loader_findings.hpp"
#include "loaders/loader_rows.hpp"
#include "summary_words.hpp"
#include "warnings/warnings.hpp"

namespace batchscope::analyze {
namespace {

using causes::attribute;
using causes::cause_findings;
using causes::confirm_loading;
using causes::diagnostics_of;
using compare::Compared;
using tables::complete_blocks;
using tables::GroupData;
using tables::name_tables;
using tables::RunView;
using tables::tables_of;
using tables::testable_columns;
using tables::view_runs;
using tables::widest_contrast;

bool says_to_avoid(const findings::Finding& finding) {
  return finding.id == findings::kDeparture && finding.fix.starts_with("Avoid");
}

// Nobody can follow "use batch 8" beside "avoid batch 8": what is recommended, because nothing else
// that may be used is faster, is no longer to be avoided by what its finding says to do.
void reconcile(const std::vector<findings::Recommendation>& picks,
               std::vector<findings::Finding>& findings) {
  for (const findings::Recommendation& pick : picks) {
    for (findings::Finding& finding : findings) {
      const schema::RunConfig* const where = config_of(finding.where);
      const bool about_it = where != nullptr && *where == pick.config;
      if (!about_it || !says_to_avoid(finding) || pick.withdrawn) continue;
      finding.fix = fmt::format(
          "Batch {} is still recommended: no other permitted choice is significantly faster. "
          "Compare its page faults, memory and phases with its neighbours' to find the cause of "
          "its slowdown.",
          pick.config.shape.batch_size);
    }
  }
}

// More than its law, or than a split, by what no test proves.
bool suspects_slow(const findings::Finding& finding) {
  if (finding.status != findings::Status::suspect) return false;
  if (finding.id == findings::kDominated) return true;
  return finding.id == findings::kDeparture &&
         std::any_of(finding.evidence.begin(), finding.evidence.end(),
                     [](const findings::Evidence& each) {
                       return each.metric == findings::metric::kExcessOverLaw.name &&
                              each.estimate.value > 0;
                     });
}

// The row of what is picked, in a table in which typical iterations are not what the mean of all
// is.
findings::ConfigRow* row_beside_slow_iterations(const findings::Recommendation& pick,
                                                std::vector<findings::Group>& groups) {
  for (findings::Group& group : groups) {
    if (std::none_of(group.rows.begin(), group.rows.end(), findings::mean_differs)) continue;
    for (findings::ConfigRow& row : group.rows) {
      if (row.config == pick.config) return &row;
    }
  }
  return nullptr;
}

// What typical iterations raise a suspicion of, and what all of them show to be the best: the
// suspicion is of the wrong time, and goes.
void drop_suspicions(const findings::Recommendation& pick, std::vector<findings::Group>& groups,
                     std::vector<findings::Finding>& findings) {
  const bool shown = pick.verified || pick.support == findings::Support::shown;
  if (!shown || pick.undecided || pick.withdrawn || !pick.feasible) return;
  findings::ConfigRow* const row = row_beside_slow_iterations(pick, groups);
  if (row == nullptr) return;
  std::erase_if(findings, [&](const findings::Finding& finding) {
    const schema::RunConfig* const where = config_of(finding.where);
    return where != nullptr && *where == pick.config && suspects_slow(finding);
  });
  const bool suspected =
      row->verdict == findings::Verdict::suspect && row->departs == findings::Deviation::slower;
  if (suspected) row->verdict = findings::Verdict::untestable;
}

std::string name_of_run(std::size_t index, const Options& options) {
  return index < options.names.size() ? options.names[index] : fmt::format("run {}", index + 1);
}

std::vector<std::string> names_of(std::span<const schema::RunFile> runs, const Options& options) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < runs.size(); ++i) names.push_back(name_of_run(i, options));
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

void warn_of_current_size(const RunView& view, const std::string& prefix, const Options& options,
                          findings::Summary& summary) {
  const auto& of_plan = view.run->header.plan.current_batch_size;
  const auto size = options.current_batch_size ? options.current_batch_size : of_plan;
  const bool known =
      std::any_of(view.run->configs.begin(), view.run->configs.end(),
                  [&](const schema::RunConfig& config) { return config.shape.batch_size == size; });
  if (!size || known) return;
  summary.warnings.push_back(fmt::format(
      "{}Batch {}, the current size, was not measured: gains are relative to the smallest.", prefix,
      *size));
}

std::vector<findings::Recommendation> recommendations_of(const RunView& view,
                                                         const std::vector<findings::Group>& groups,
                                                         const Options& options, std::size_t run) {
  const bool searched = run < options.recommendations.size() && options.recommendations[run];
  if (searched) return {*options.recommendations[run]};
  return recommend(view, groups, options);
}

// Where it cannot be told which is best, no table names one.
void name_no_best(const findings::Recommendation& pick, std::vector<findings::Group>& groups) {
  for (findings::Group& group : groups) {
    group.is_open |= tables::is_same_work(group.key, pick.config);
  }
}

void name_recommended(const findings::Recommendation& pick, std::vector<findings::Group>& groups) {
  for (findings::Group& group : groups) {
    for (const findings::ConfigRow& row : group.rows) {
      if (row.config == pick.config) group.recommended = row.config.shape.batch_size;
    }
  }
}

// One run's tables and findings, appended to the summary; `prefix` tells runs apart.
void add_run(const RunView& view, std::size_t run, const std::string& prefix,
             const Options& options, findings::Summary& summary) {
  auto [groups, findings] = tables_of(view, options, prefix, options.memory_limit_bytes);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups[g].diagnostics = diagnostics_of(view, view.groups[g]);
  }
  std::vector<findings::Finding> causes = cause_findings(view, options);
  name_tables(causes, groups);
  std::move(causes.begin(), causes.end(), std::back_inserter(findings));
  attribute(findings, view);
  std::vector<findings::Recommendation> picks = recommendations_of(view, groups, options, run);
  reconcile(picks, findings);
  for (const findings::Recommendation& pick : picks) drop_suspicions(pick, groups, findings);
  for (findings::Recommendation& pick : picks) {
    if (pick.undecided) {
      name_no_best(pick, groups);
    } else if (pick.feasible && !pick.withdrawn) {
      name_recommended(pick, groups);
    }
    if (const std::string unlike = unlike_words(pick, groups); !unlike.empty()) {
      summary.warnings.push_back(prefix + unlike);
    }
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
    if (evidence.unit == findings::kRatioUnit)
      largest = std::max(largest, std::abs(evidence.estimate.value));
  }
  return largest;
}

std::string nothing_in_common(const findings::Summary& summary) {
  std::string text = "The runs have no configuration in common, so there is nothing to compare:";
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
  if (schema::states_effective_batch(header)) current.reset();
  for (findings::Finding& each : learning_rate_findings(summary, current)) {
    findings.push_back(std::move(each));
  }
  name_tables(findings, summary.groups);
  add_loss_doubts(findings, summary.recommendations);
  std::move(findings.begin(), findings.end(), std::back_inserter(summary.findings));
}

void add_loaders(const RunView& view, const Options& options, findings::Summary& summary) {
  summary.loaders = loader_rows(view);
  std::vector<findings::Finding> found = loader_findings(view, summary.loaders, options);
  name_tables(found, summary.groups);
  std::move(found.begin(), found.end(), std::back_inserter(summary.findings));
}

void add_comparisons(Compared compared, findings::Summary& summary) {
  summary.comparisons = std::move(compared.comparisons);
  if (compared.gate) summary.gates.push_back(*std::move(compared.gate));
  std::move(compared.warnings.begin(), compared.warnings.end(),
            std::back_inserter(summary.warnings));
}

// What a machine under load shows need not hold on a quiet one, wherever it is told.
void tell_of_load(const MachineReading& machine, std::vector<findings::Comparison>& comparisons) {
  if (!machine.mostly) return;
  for (findings::Comparison& each : comparisons) {
    const bool claims = each.significant || (each.by_mean && each.by_mean->significant);
    if (claims) each.message += " This holds under load: other processes disturbed most visits.";
  }
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
  const std::vector<RunView> views = view_runs(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    summary.inputs.push_back(input_of(views[i], names[i], options));
    add_run(views[i], i, runs.size() > 1 ? names[i] + ": " : "", options, summary);
  }
  add_comparisons(compare::compare(views, names, options), summary);
  if (runs.size() > 1 && summary.comparisons.empty()) {
    summary.warnings.push_back(nothing_in_common(summary));
  }
  tell_of_load(machine_of(views), summary.comparisons);
  if (runs.size() == 1) {
    add_loaders(views.front(), options, summary);
    add_training(runs.front().header, options, summary);
  }
  std::stable_sort(summary.findings.begin(), summary.findings.end(), is_worse);
  summary.words = words_of(views, summary, options);
  summary.answer = answer_of(views, summary, options);
  put_lines(summary.answer);
  return summary;
}

}  // namespace batchscope::analyze
