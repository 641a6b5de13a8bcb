#include "warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/compare/output_facts.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/tables/axes.hpp"
#include "batchscope/tables/test_options.hpp"
#include "batchscope/timing/evidence.hpp"

namespace batchscope::analyze {
namespace {

using compare::engines_not_compared;
using tables::complete_blocks;
using tables::ConfigData;
using tables::GroupData;
using tables::kMaxSizes;
using tables::RunView;
using tables::testable_columns;
using tables::UsableVisit;
using tables::varies_in_length;
using tables::what_differs;

using Texts = std::vector<std::string>;

void about_file(const RunView& view, Texts& warnings) {
  const schema::ReadReport& report = view.run->report;
  if (report.torn_last_line) {
    warnings.push_back(
        "The last line of the run file is incomplete (the run stopped) and does not count.");
  }
  if (report.skipped_count > 0) {
    warnings.push_back(fmt::format("Ignored {} of the run file. The first: {}.",
                                   base::counted(report.skipped_count, "line"),
                                   report.skipped.empty() ? "" : report.skipped.front()));
  }
  for (const auto& [type, count] : report.unknown_types) {
    warnings.push_back(fmt::format("{} of the unknown type \"{}\" ignored (from a newer version).",
                                   base::counted(count, "line"), type));
  }
}

void about_kind_of_run(const RunView& view, Texts& warnings) {
  const schema::Header& header = view.run->header;
  if (header.origin == schema::Origin::imported) {
    const bool any_repeats =
        std::any_of(view.groups.begin(), view.groups.end(),
                    [](const GroupData& group) { return group.table.blocks.size() > 1; });
    const bool any_spread = std::any_of(
        view.run->visits.begin(), view.run->visits.end(), [](const schema::Visit& visit) {
          return visit.reported_std_ns && visit.reported_repeats.value_or(0) > 1;
        });
    if (any_repeats) {
      warnings.push_back("Imported numbers of unknown origin: they prove nothing.");
    } else if (any_spread) {
      warnings.push_back(
          "Imported means with the spread of their repeats: repeats of one process are not "
          "independent, so they prove nothing.");
    } else {
      warnings.push_back("No repeats: without them the run proves no difference.");
    }
  } else if (header.plan.isolation == schema::Isolation::none) {
    warnings.push_back(
        "Measured inside the caller's process (isolation none): configurations share its state, so "
        "the run proves nothing.");
  }
  for (const std::string& note : header.notes) warnings.push_back(note);
}

void about_end(const RunView& view, Texts& warnings) {
  if (view.run->header.origin == schema::Origin::imported) return;
  // A program that measured a function of its own cannot go on where it was.
  const auto& origin = view.run->header.origin;
  const std::string how =
      origin == schema::Origin::api
          ? "."
          : fmt::format("; `{} --on-existing resume` continues it.", origin.text());
  if (!view.run->end) {
    warnings.push_back("The run did not finish" + how);
  } else if (view.run->end->reason == schema::EndReason::interrupted) {
    warnings.push_back("The run stopped early" + how);
  } else if (view.run->end->reason == schema::EndReason::budget) {
    warnings.push_back(origin == schema::Origin::tune
                           ? "The budget ended the search" + how
                           : "The budget ended the run before it reached the target precision.");
  }
}

// The same trouble of the same configuration is told once, with how often.
struct Trouble {
  const schema::Event* event;
  int times;
};

std::vector<Trouble> troubles_of(const RunView& view) {
  std::vector<Trouble> reported;
  for (const schema::Event& event : view.run->events) {
    const auto same = std::find_if(reported.begin(), reported.end(), [&](const Trouble& each) {
      return each.event->kind == event.kind && each.event->where.config == event.where.config &&
             (event.where.config || each.event->what == event.what);
    });
    if (same != reported.end()) {
      ++same->times;
    } else {
      reported.push_back({&event, 1});
    }
  }
  return reported;
}

// What tells a configuration from the others of the run; empty: none is meant.
std::string place_of(const schema::Event& event, const RunView& view) {
  const auto& configs = view.run->configs;
  const auto index = static_cast<std::size_t>(event.where.config.value_or(-1));
  return index < configs.size() ? what_differs(configs[index], configs) : "";
}

// Whatever befell one configuration is one line.
void about_events(const RunView& view, Texts& warnings) {
  struct Reported {
    std::string where, what, fix;
  };
  std::vector<Reported> lines;
  for (const Trouble& each : troubles_of(view)) {
    std::string what = schema::in_words(*each.event);
    if (each.times > 1) what += fmt::format(" ({} times)", each.times);
    const std::string where = place_of(*each.event, view);
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const Reported& line) {
      return !where.empty() && line.where == where;
    });
    if (same == lines.end()) {
      lines.push_back({where, what, each.event->fix});
    } else {
      same->what += "; " + what;
      if (same->fix.empty()) same->fix = each.event->fix;
    }
  }
  for (const Reported& line : lines) {
    warnings.push_back(base::in_one_line(line.where, line.what, line.fix));
  }
}

std::size_t planned_visits(const GroupData& group) {
  std::size_t most = 0;
  for (const ConfigData& config : group.configs) most = std::max(most, config.visits.size());
  return most;
}

// Configurations stand in the file in the order in which they were planned: what follows the last
// one that was measured for itself was added for an experiment.
bool is_experiment(const RunView& view, std::size_t index) {
  for (const schema::Visit& visit : view.run->visits) {
    if (visit.purpose != schema::Purpose::intervention) continue;
    for (const GroupData& group : view.groups) {
      for (const ConfigData& config : group.configs) {
        if (config.config_index > static_cast<int>(index)) return false;
      }
    }
    return true;
  }
  return false;
}

// A search leaves most of its grid alone, and visits the rest as often as it has to.
void about_search(const RunView& view, Texts& warnings) {
  std::size_t few = 0;
  for (const GroupData& group : view.groups) {
    const std::size_t planned = planned_visits(group);
    few += static_cast<std::size_t>(std::count_if(
        group.configs.begin(), group.configs.end(),
        [&](const ConfigData& config) { return 2 * config.visits.size() < planned; }));
  }
  if (few == 0) return;
  warnings.push_back(
      fmt::format("A search visits only what it needs: {} batch size{} too few visits for the "
                  "tests, and {} excluded.",
                  few, few == 1 ? " has" : "s have", few == 1 ? "is" : "are"));
}

void about_unfinished(const RunView& view, Texts& warnings) {
  const tables::Differences differences(view.run->configs);
  std::set<int> measured;
  for (const GroupData& group : view.groups) {
    const std::size_t planned = planned_visits(group);
    for (const ConfigData& config : group.configs) {
      measured.insert(config.config_index);
      const std::size_t n = config.visits.size();
      if (config.purpose != schema::Purpose::measure || n >= planned) continue;
      warnings.push_back(fmt::format(
          "{} has {} of {}{}.", base::capitalised(differences.of(config.config)), n,
          base::counted(planned, "visit"), 2 * n < planned ? ": too few for the tests" : ""));
    }
  }
  std::set<int> attempted;
  for (const schema::Visit& visit : view.run->visits) attempted.insert(visit.config);
  // Told with what befell it.
  for (const schema::Event& event : view.run->events) {
    if (schema::is_failure(event)) attempted.insert(event.where.config.value_or(-1));
  }
  for (std::size_t i = 0; i < view.run->configs.size(); ++i) {
    if (measured.count(static_cast<int>(i)) != 0) continue;
    if (attempted.count(static_cast<int>(i)) != 0 || is_experiment(view, i)) continue;
    warnings.push_back(base::capitalised(differences.of(view.run->configs[i])) +
                       " was not measured.");
  }
}

void about_missing(const RunView& view, Texts& warnings) {
  if (view.run->header.origin == schema::Origin::tune) {
    about_search(view, warnings);
  } else {
    about_unfinished(view, warnings);
  }
  if (view.repeated_visits > 0) {
    warnings.push_back(
        fmt::format("{} ignored: the file has an earlier one of the same configuration and block.",
                    base::counted(view.repeated_visits, "visit")));
  }
  if (view.excluded_visits > 0) {
    warnings.push_back(fmt::format("{} ignored: too few usable iterations.",
                                   base::counted(view.excluded_visits, "visit")));
  }
}

void about_warmup(const RunView& view, Texts& warnings) {
  const stats::PooledWarmup& pooled = view.warmups.pooled();
  bool undetermined = false;
  for (const stats::WarmupNeed* need : {&pooled.short_iterations, &pooled.long_iterations}) {
    undetermined |= need->visits > 0 && !need->determined;
  }
  const auto is_settled = [](const GroupData& group) { return group.settled; };
  if (undetermined || !std::all_of(view.groups.begin(), view.groups.end(), is_settled)) {
    warnings.push_back(
        "The length of the warm-up is unknown: counted iterations may still be slower than later "
        "ones, and the tables prove nothing. Measure longer visits (--min-visit-time).");
  }
  if (view.trimmed_visits > 0) {
    warnings.push_back(fmt::format(
        "batchscope excluded the first timed iterations of {}: the warm-up took longer than it "
        "seemed in one visit.",
        base::counted(view.trimmed_visits, "visit")));
  }
}

void about_skipped_steps(const RunView& view, Texts& warnings) {
  const tables::Differences differences(view.run->configs);
  for (const GroupData& group : view.groups) {
    for (const ConfigData& config : group.configs) {
      int64_t skipped = 0, steps = 0;
      for (const UsableVisit& usable : config.visits) {
        const schema::Visit& visit = *usable.visit;
        skipped += visit.skipped_steps.value_or(0);
        steps += static_cast<int64_t>(visit.warmup_ns.size()) +
                 static_cast<int64_t>(visit.samples_ns.size()) * visit.iterations_per_sample;
      }
      if (skipped == 0) continue;
      warnings.push_back(fmt::format(
          "{}: {} of {}, warm-up included, changed no weight because gradients were not finite. "
          "Each skips the optimizer and halves the scale of the loss.",
          base::capitalised(differences.of(config.config)), skipped, base::counted(steps, "step")));
    }
  }
}

// What cannot be proven for want of blocks; empty where nothing is.
std::string missing_blocks(const GroupData& group) {
  const std::size_t blocks = complete_blocks(testable_columns(group, false)).blocks.size();
  if (blocks >= timing::kPairsToProveAChoice) return "";
  const bool departures_lack = blocks < timing::kPairsToProve && !varies_in_length(group.key);
  return fmt::format(
      "{}: {}a proof that a split is faster needs {}.", base::counted(blocks, "complete block"),
      departures_lack ? fmt::format("a proof that a size is slow needs {}, ", timing::kPairsToProve)
                      : "",
      timing::kPairsToProveAChoice);
}

Texts lacks_of(const GroupData& group) {
  Texts lacks;
  if (group.configs.size() > kMaxSizes) {
    lacks.push_back(fmt::format(
        "with more than {} batch sizes, departures from the law are not tested.", kMaxSizes));
  }
  if (varies_in_length(group.key)) {
    lacks.emplace_back(
        "padding grows with the batch size, so departures from a law are not tested; splits are.");
  }
  if (std::string missing = missing_blocks(group); !missing.empty()) lacks.push_back(missing);
  return lacks;
}

// What several tables lack is told once, with their names; with none where all do.
void about_power(const RunView& view, Texts& warnings) {
  if (!view.repeated) return;
  const auto keys = base::mapped(view.groups, [](const GroupData& group) { return group.key; });
  std::vector<std::pair<std::string, Texts>> reported;
  for (const GroupData& group : view.groups) {
    for (const std::string& lack : lacks_of(group)) {
      const auto same = std::find_if(reported.begin(), reported.end(),
                                     [&](const auto& each) { return each.first == lack; });
      Texts& names =
          same == reported.end() ? reported.emplace_back(lack, Texts{}).second : same->second;
      names.push_back(tables::axis_words(group.key, keys));
    }
  }
  for (const auto& [lack, names] : reported) {
    const bool all = names.size() == view.groups.size();
    warnings.push_back(all ? base::capitalised(lack) : base::join(names, "; ") + ": " + lack);
  }
}

}  // namespace

Texts warnings_of(const RunView& view) {
  Texts warnings;
  about_kind_of_run(view, warnings);
  about_file(view, warnings);
  about_end(view, warnings);
  about_events(view, warnings);
  about_missing(view, warnings);
  about_warmup(view, warnings);
  about_skipped_steps(view, warnings);
  about_power(view, warnings);
  for (std::string& sentence : engines_not_compared(view)) warnings.push_back(std::move(sentence));
  for (std::string& warning : fitness_warnings(view)) warnings.push_back(std::move(warning));
  for (std::string& warning : slow_iteration_warnings(view)) {
    warnings.push_back(std::move(warning));
  }
  if (view.groups.empty()) warnings.push_back("The run has no visit to analyse.");
  return warnings;
}

}  // namespace batchscope::analyze
