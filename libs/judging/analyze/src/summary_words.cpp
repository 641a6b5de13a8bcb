#include "summary_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "batchscope/base/counted.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/compare/comparison_words.hpp"
#include "batchscope/findings/wording.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "batchscope/tables/set_aside.hpp"
#include "batchscope/timing/evidence.hpp"
#include "warnings/warnings.hpp"

namespace batchscope::analyze {
namespace {

using compare::comparisons_in_short;
using findings::batches;
using findings::milliseconds;
using findings::percent;
using tables::is_set_aside;
using tables::RunView;

using Texts = std::vector<std::string>;

constexpr std::size_t kMostSuspects = 5;
constexpr std::size_t kMostAlike = 2;  // measured facts of one kind

std::string how_measured(const RunView& view, int fewest, int most) {
  const schema::Header& header = view.run->header;
  if (header.origin == schema::Origin::imported) {
    if (most > 1) return "imported";
    const bool spread = std::any_of(
        view.run->visits.begin(), view.run->visits.end(), [](const schema::Visit& visit) {
          return visit.reported_std_ns && visit.reported_repeats.value_or(0) > 1;
        });
    return spread ? "imported, one mean each with the spread of its repeats"
                  : "imported, one number each";
  }
  const std::string visits = fewest == most
                                 ? (most == 1 ? std::string("once") : fmt::format("{} times", most))
                                 : fmt::format("{} to {} times", fewest, most);
  const std::string process =
      header.plan.isolation == schema::Isolation::config
          ? fmt::format("each{} in a fresh process", most == 1 ? "" : " time")
      : header.plan.isolation == schema::Isolation::block ? "a fresh process for each round"
                                                          : "inside the caller's process";
  return fmt::format("{}, {}, in random order", visits, process);
}

void what_was_measured(const RunView& view, const findings::Group& group, Texts& words) {
  std::vector<int64_t> sizes;
  int fewest = group.rows.front().n;
  int most = 0;
  for (const findings::ConfigRow& row : group.rows) {
    sizes.push_back(row.config.shape.batch_size);
    fewest = std::min(fewest, row.n);
    most = std::max(most, row.n);
  }
  words.push_back(fmt::format("{}: {} measured {}.", group.label, batches(sizes),
                              how_measured(view, fewest, most)));
}

void only_failed(const std::vector<RunView>& views, Texts& words) {
  for (const RunView& view : views) {
    for (std::string& sentence : failed_sizes_in_words(view)) words.push_back(std::move(sentence));
  }
}

// Sizes that cost more per sample than the base, by typical iterations and by mean ones: what a
// reader of the table sees first. A table of single numbers is taken at its word.
void slower_per_sample(const findings::Group& group, double delta, Texts& words) {
  const auto is_single = [](const findings::ConfigRow& row) { return row.n <= 1; };
  const bool single = std::all_of(group.rows.begin(), group.rows.end(), is_single);
  for (const findings::ConfigRow& row : group.rows) {
    if (!row.relative_slowdown) continue;
    const findings::Estimate& slowdown = *row.relative_slowdown;
    if (!single && (!slowdown.ci || row.n < timing::kPairsToProve)) continue;
    if (single && schema::states_engine(row.config)) continue;
    const double sure = slowdown.ci ? slowdown.ci->low : slowdown.value;
    const double by_mean = group.rows.front().throughput_per_s.value / row.throughput_per_s.value;
    if (std::min(sure, by_mean) <= 1 + delta) continue;
    words.push_back(fmt::format(
        "{}{} {} takes {} longer per sample than batch {}.",
        group.table.empty() ? "" : group.table + ": ", group.table.empty() ? "Batch" : "batch",
        row.config.shape.batch_size, percent(slowdown.value - 1), group.base_batch_size));
  }
}

// "1 in 3 iterations", "70 % of the iterations".
std::string in_words(double share) {
  constexpr double kMany = 0.4;
  if (share >= kMany) return percent(share) + " of the iterations take";
  return fmt::format("1 in {:.0f} iterations takes", 1 / share);
}

// Where the typical iteration is not what the work takes.
void slow_iterations(const findings::Group& group, Texts& words) {
  for (const findings::ConfigRow& row : group.rows) {
    if (!findings::mean_differs(row)) continue;
    const std::string what =
        row.slow_share > 0
            ? fmt::format("{} over 1.5 times the typical one, so", in_words(row.slow_share))
            : std::string("single iterations vary:");
    words.push_back(
        fmt::format("{}{} {}: {} the mean iteration takes {}, the typical one {}. Throughput "
                    "counts all iterations.",
                    group.table.empty() ? "" : group.table + ": ",
                    group.table.empty() ? "Batch" : "batch", row.config.shape.batch_size, what,
                    milliseconds(row.mean_ms.value), milliseconds(row.time_ms.value)));
  }
}

std::string of_table(const findings::Finding& finding) {
  return finding.table.empty() ? "" : fmt::format(" ({})", finding.table);
}

// Tables that were trained alike say alike: of each kind the strongest, which come first.
void measured_facts(const findings::Summary& summary, Texts& words) {
  std::map<std::string, std::size_t> reported;
  std::size_t more = 0;
  for (const findings::Finding& finding : summary.findings) {
    if (finding.status != findings::Status::measured) continue;
    if (++reported[finding.id] > kMostAlike) {
      ++more;
      continue;
    }
    words.push_back(fmt::format("Measured{}: {}", of_table(finding), finding.what));
  }
  if (more > 0) {
    words.push_back(fmt::format("{} more of {} listed with the findings.", more,
                                more == 1 ? "this kind is" : "these kinds are"));
  }
}

void anomalies(const findings::Summary& summary, Texts& words) {
  std::vector<const findings::Finding*> suspects;
  bool any_proven = false;
  for (const findings::Finding& finding : summary.findings) {
    if (finding.status == findings::Status::refuted) continue;
    if (finding.status == findings::Status::confirmed) {
      words.push_back(
          fmt::format("Confirmed{}: {} To do: {}", of_table(finding), finding.what, finding.fix));
      continue;
    }
    if (finding.status == findings::Status::measured) continue;  // told by measured_facts
    if (finding.status != findings::Status::proven) {
      suspects.push_back(&finding);
      continue;
    }
    any_proven = true;
    words.push_back(fmt::format("Proven{}: {}{}{}", of_table(finding), finding.what,
                                finding.fix.empty() ? "" : " ", finding.fix));
  }
  if (!any_proven) words.push_back("No proven anomaly.");
  for (std::size_t i = 0; i < std::min(kMostSuspects, suspects.size()); ++i) {
    words.push_back(fmt::format("Suspected{}: {}", of_table(*suspects[i]), suspects[i]->what));
  }
  if (suspects.size() > kMostSuspects) {
    const std::size_t more = suspects.size() - kMostSuspects;
    words.push_back(fmt::format("{} more suspicion{} listed with the findings.", more,
                                more == 1 ? " is" : "s are"));
  }
}

// How far an odd size had to be off to be found, whichever it is: the coarsest table counts.
std::string power(const findings::Summary& summary, const Options& options) {
  std::optional<double> coarsest;
  for (const findings::Group& group : summary.groups) {
    const auto& smallest = group.smallest_provable_excess;
    if (smallest && (!coarsest || *smallest > *coarsest)) coarsest = smallest;
  }
  if (coarsest) {
    return fmt::format(
        "This run could detect a deviation of {} or more at any size between the ends.",
        percent(*coarsest));
  }
  const bool testable =
      std::any_of(summary.groups.begin(), summary.groups.end(), [](const findings::Group& group) {
        return group.rows.size() > 1 && group.rows.front().n >= timing::kPairsToProveAChoice;
      });
  if (!testable) return "This run can prove nothing: it has too few blocks or sizes.";
  return fmt::format("This run can prove only what exceeds {} and the noise.",
                     percent(options.delta));
}

// Few visits cannot show what befalls few processes: (1 - share)^n = 5 %.
std::string rare_modes(const findings::Summary& summary) {
  constexpr double kMissed = 0.05;
  int fewest = 0;
  for (const findings::Group& group : summary.groups) {
    for (const findings::ConfigRow& row : group.rows) {
      if (is_set_aside(group.set_aside, row.config.shape.batch_size)) continue;
      if (fewest == 0 || row.n < fewest) fewest = row.n;
    }
  }
  if (fewest < 2) return "";
  return fmt::format(
      " With {} per size, a slow mode in fewer than {} of the processes may not have appeared.",
      base::counted(fewest, "visit"), percent(1 - std::pow(kMissed, 1.0 / fewest)));
}

bool has_interval(const findings::ConfigRow& row) {
  return row.time_ms.ci.has_value();
}

bool has_intervals(const findings::Summary& summary) {
  const auto& groups = summary.groups;
  return std::any_of(groups.begin(), groups.end(), [](const findings::Group& group) {
    return std::any_of(group.rows.begin(), group.rows.end(), has_interval);
  });
}

// Why none has one.
std::string without_intervals(const findings::Summary& summary) {
  const bool repeated =
      std::any_of(summary.groups.begin(), summary.groups.end(), [](const findings::Group& group) {
        return std::any_of(group.rows.begin(), group.rows.end(),
                           [](const findings::ConfigRow& row) { return row.n > 1; });
      });
  if (!repeated) return " A size with one visit has no CI.";
  return fmt::format(" A size with fewer than {} visits has no CI.", timing::kVisitsForInterval);
}

void how_sure(const std::vector<RunView>& views, const findings::Summary& summary,
              const Options& options, Texts& words) {
  const bool any =
      std::any_of(views.begin(), views.end(), [](const RunView& view) { return view.repeated; });
  const bool by_programs =
      !views.empty() && std::all_of(views.begin(), views.end(), [](const RunView& view) {
        return view.run->header.origin == schema::Origin::api;
      });
  if (!any && by_programs) {
    words.push_back(
        "How sure is this? All sizes share one process and its state, so the run proves nothing. "
        "To "
        "check a suspicion, run the program again for these sizes alone.");
    return;
  }
  if (!any) {
    words.push_back(
        "How sure is this? Without repeats in fresh processes, a difference may be noise: measure "
        "with batchscope profile.");
    return;
  }
  const bool proven = std::any_of(
      summary.findings.begin(), summary.findings.end(),
      [](const findings::Finding& finding) { return finding.status == findings::Status::proven; });
  std::string text = "How sure is this? ";
  if (proven) {
    text += fmt::format(
        "The tests treat all proven claims as one family: the chance of any error is at most {} "
        "per "
        "run. ",
        base::format_level(1 - options.level));
  }
  words.push_back(fmt::format(
      "{}{}{}{}", text, power(summary, options), rare_modes(summary),
      has_intervals(summary)
          ? fmt::format(" The {} CIs in the tables do not include variation between runs.",
                        base::format_level(options.level))
          : without_intervals(summary)));
}

}  // namespace

Texts words_of(const std::vector<RunView>& views, const findings::Summary& summary,
               const Options& options) {
  Texts words;
  if (summary.groups.empty()) {
    words.emplace_back("The run has no measurements.");
    only_failed(views, words);
    return words;
  }
  for (const findings::Gate& gate : summary.gates) {
    words.push_back(gate.message + (gate.advice.empty() ? "" : " " + gate.advice));
  }
  std::size_t next = 0;
  for (const RunView& view : views) {
    for (std::size_t g = 0; g < view.groups.size(); ++g) {
      what_was_measured(view, summary.groups[next++], words);
    }
  }
  for (const findings::Recommendation& each : summary.recommendations) {
    words.push_back(each.message);
  }
  only_failed(views, words);
  for (const findings::Group& group : summary.groups) {
    slower_per_sample(group, options.delta, words);
    slow_iterations(group, words);
  }
  measured_facts(summary, words);
  anomalies(summary, words);
  for (std::string& each : comparisons_in_short(summary.comparisons)) {
    words.push_back(std::move(each));
  }
  how_sure(views, summary, options, words);
  return words;
}

}  // namespace batchscope::analyze
