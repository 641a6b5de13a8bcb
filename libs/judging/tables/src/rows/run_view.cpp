#include "batchscope/tables/run_view.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/timing/visits.hpp"

namespace batchscope::tables {
namespace {

// Visits made to measure, with times that can be used; what others say is kept or counted.
timing::RunVisits usable_visits(RunView& view) {
  const schema::RunFile& run = *view.run;
  for (const schema::Visit* visit : schema::current_visits(run)) {
    const bool known =
        visit->config >= 0 && static_cast<std::size_t>(visit->config) < run.configs.size();
    const bool styles = visit->purpose == schema::Purpose::diagnostic;
    if (known && styles && !visit->samples_ns.empty()) view.diagnostic.push_back(visit);
  }
  timing::RunVisits made = timing::visits_of(run, timing::Use::measured, view.warmups);
  view.excluded_visits = made.untimed;
  view.repeated_visits = made.repeated;
  for (const auto& [config, warm] : made.by_config) {
    view.excluded_visits += static_cast<int>(warm.excluded.size());
    for (const UsableVisit& usable : warm.visits) view.trimmed_visits += usable.trimmed ? 1 : 0;
  }
  return made;
}

schema::Purpose purpose_of(const std::vector<UsableVisit>& visits) {
  const bool all_control = std::all_of(visits.begin(), visits.end(), [](const UsableVisit& usable) {
    return usable.visit->purpose == schema::Purpose::control;
  });
  return all_control ? schema::Purpose::control : schema::Purpose::measure;
}

template <class TimeNs>
BlockTable make_table(const std::vector<ConfigData>& configs, TimeNs time_ns) {
  BlockTable table;
  std::map<int, std::vector<double>> blocks;
  for (const ConfigData& config : configs) table.sizes.push_back(config.batch_size());
  for (std::size_t column = 0; column < configs.size(); ++column) {
    for (const UsableVisit& visit : configs[column].visits) {
      auto& row = blocks[visit.visit->block];
      row.resize(configs.size(), kMissing);
      row[column] = std::log(time_ns(visit));
    }
  }
  for (auto& [block, row] : blocks) table.blocks.push_back(std::move(row));
  return table;
}

// The mean iteration of a visit less what it waited for a processor, as `waited` has it.
BlockTable without_wait(const std::vector<ConfigData>& configs,
                        std::optional<int64_t> schema::Usage::*waited) {
  // What is left of a visit that hardly ran says nothing; so much stays at least.
  constexpr double kLeast = 0.05;
  return make_table(configs, [waited](const UsableVisit& visit) {
    const double mean = timing::mean_ns(visit);
    const schema::Visit& full_visit = *visit.visit;
    const auto iterations =
        static_cast<double>(full_visit.samples_ns.size()) *
        static_cast<double>(std::max<int64_t>(full_visit.iterations_per_sample, 1));
    const auto wait = static_cast<double>((full_visit.usage.*waited).value_or(0));
    return std::max(mean - wait / std::max(iterations, 1.0), kLeast * mean);
  });
}

bool has_waited(const UsableVisit& visit) {
  return visit.visit->usage.wait_ns.value_or(0) > 0;
}

bool any_waited(const std::vector<ConfigData>& configs) {
  return std::any_of(configs.begin(), configs.end(), [](const ConfigData& config) {
    return std::any_of(config.visits.begin(), config.visits.end(), has_waited);
  });
}

// Whether its halves have times that tell of them.
bool tells_of_halves(const UsableVisit& visit) {
  constexpr std::size_t kFewest = 8;
  return timing::shows_iterations(*visit.visit) && visit.series.front().size() >= kFewest;
}

bool all_tell_of_halves(const std::vector<ConfigData>& configs) {
  return std::all_of(configs.begin(), configs.end(), [](const ConfigData& config) {
    return std::all_of(config.visits.begin(), config.visits.end(), tells_of_halves);
  });
}

// Threads that wait at the same time cost an iteration what the longest of them waited, threads
// that wait in turn what all did: the truth lies between the two.
void add_readings(GroupData& group) {
  group.readings.push_back({"by the mean iteration", group.calm_work});
  if (all_tell_of_halves(group.configs)) {
    const BlockTable late = make_table(group.configs, timing::late_ns);
    group.readings.push_back({"in the later half of its visits", with_spikes_moved_in(late)});
  }
  if (!any_waited(group.configs)) return;
  for (const auto waited : {&schema::Usage::wait_max_thread_ns, &schema::Usage::wait_ns}) {
    group.readings.push_back({"without the time spent waiting for a CPU",
                              with_spikes_moved_in(without_wait(group.configs, waited))});
  }
}

GroupData& group_for(std::vector<GroupData>& groups, const schema::RunConfig& config) {
  const schema::RunConfig key = schema::without_batch_size(config);
  const auto found = std::find_if(groups.begin(), groups.end(),
                                  [&](const GroupData& group) { return group.key == key; });
  if (found != groups.end()) return *found;
  groups.push_back({key, {}, {}, {}, {}, {}, {}, true});
  return groups.back();
}

}  // namespace

RunView view_run(const schema::RunFile& run) {
  RunView view;
  view.run = &run;
  view.warmups = timing::warmups_of(run);
  view.slow = timing::SlowIterations(run);
  view.repeated = run.header.origin != schema::Origin::imported &&
                  run.header.plan.isolation != schema::Isolation::none;
  for (auto& [index, made] : usable_visits(view).by_config) {
    const schema::RunConfig& config = run.configs[static_cast<std::size_t>(index)];
    const schema::Purpose purpose = purpose_of(made.visits);
    const timing::Unseen unseen = view.slow.unseen_by(config, made.visits);
    group_for(view.groups, config)
        .configs.push_back({config, index, purpose, std::move(made.visits), made.settled, unseen});
  }
  for (GroupData& group : view.groups) {
    std::stable_sort(
        group.configs.begin(), group.configs.end(),
        [](const ConfigData& a, const ConfigData& b) { return a.batch_size() < b.batch_size(); });
    group.table = make_table(group.configs, timing::typical_ns);
    group.winsorized = with_spikes_moved_in(group.table);
    group.work = make_table(group.configs, timing::mean_ns);
    group.calm_work = with_spikes_moved_in(group.work);
    add_readings(group);
    group.settled = std::all_of(group.configs.begin(), group.configs.end(),
                                [](const ConfigData& config) { return config.settled; });
  }
  return view;
}

std::vector<RunView> view_runs(std::span<const schema::RunFile> runs) {
  std::vector<RunView> views;
  for (const schema::RunFile& run : runs) views.push_back(view_run(run));
  return views;
}

namespace {

BlockTable testable_columns(const GroupData& group, const BlockTable& of, bool with_controls) {
  std::size_t fullest = 0;
  for (std::size_t s = 0; s < group.configs.size(); ++s) {
    fullest = std::max(fullest, column(group.table, s).size());
  }
  BlockTable table{{}, std::vector<std::vector<double>>(group.table.blocks.size())};
  for (std::size_t s = 0; s < group.configs.size(); ++s) {
    const bool control = group.configs[s].purpose == schema::Purpose::control;
    const bool full = 2 * column(group.table, s).size() >= fullest;
    if (control ? !with_controls : !full) continue;
    table.sizes.push_back(group.table.sizes[s]);
    for (std::size_t k = 0; k < table.blocks.size(); ++k) {
      table.blocks[k].push_back(of.blocks[k][s]);
    }
  }
  return table;
}

}  // namespace

BlockTable testable_columns(const GroupData& group, bool with_controls) {
  return testable_columns(group, group.winsorized, with_controls);
}

BlockTable testable_columns(const GroupData& group, const RobustnessCheck& reading,
                            bool with_controls) {
  return testable_columns(group, reading.winsorized, with_controls);
}

BlockTable measured_columns(const GroupData& group, bool with_controls) {
  return testable_columns(group, group.table, with_controls);
}

const ConfigData* find_config(const RunView& view, const schema::RunConfig& config) {
  for (const GroupData& group : view.groups) {
    for (const ConfigData& candidate : group.configs) {
      if (candidate.config == config) return &candidate;
    }
  }
  return nullptr;
}

}  // namespace batchscope::tables
