#include "run_view.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "batchscope/stats/descriptive.hpp"

namespace batchscope::analyze {
namespace {

constexpr std::size_t kFewestIterations = 3;
constexpr std::size_t kFewestVisitsToTell = 6;  // fewer support no claim anyway
constexpr std::size_t kLongestLook = 200;       // iterations of a visit that tell of its warm-up

bool counts(schema::Purpose purpose) {
  return purpose == schema::Purpose::measure || purpose == schema::Purpose::control;
}

// Fewer than three iterations leave no median worth the name, unless the run was made that way.
bool has_enough(std::size_t made, std::size_t left) {
  return left >= std::min(kFewestIterations, made) && left > 0;
}

bool is_timed(const schema::Visit& visit) {
  return std::all_of(visit.samples_ns.begin(), visit.samples_ns.end(),
                     [](int64_t sample) { return sample > 0; });
}

// Files that were edited may hold a configuration twice: for each, the first that equals it.
std::vector<int> first_alike(const std::vector<schema::RunConfig>& configs) {
  std::map<schema::RunConfig, int> index;
  std::vector<int> first;
  first.reserve(configs.size());
  for (const schema::RunConfig& config : configs) {
    first.push_back(index.try_emplace(config, static_cast<int>(first.size())).first->second);
  }
  return first;
}

// Visits made to measure, with times that can be used, in the order of the file.
std::vector<const schema::Visit*> measuring_visits(const std::vector<int>& first, RunView& view) {
  const schema::RunFile& run = *view.run;
  std::vector<const schema::Visit*> visits;
  std::set<std::pair<int, int>> seen;
  for (const schema::Visit* visit : schema::current_visits(run)) {
    const bool known =
        visit->config >= 0 && static_cast<std::size_t>(visit->config) < run.configs.size();
    const bool looks = visit->purpose == schema::Purpose::diagnostic;
    if (known && looks && !visit->samples_ns.empty()) view.diagnostic.push_back(visit);
    if (!known || !counts(visit->purpose)) continue;
    if (visit->samples_ns.empty() || !is_timed(*visit)) {
      ++view.excluded_visits;
    } else if (!seen.emplace(first[static_cast<std::size_t>(visit->config)], visit->block).second) {
      ++view.repeated_visits;
    } else {
      visits.push_back(visit);
    }
  }
  return visits;
}

double median_ns(std::span<const int64_t> samples) {
  const std::vector<double> values(samples.begin(), samples.end());
  return stats::median(values);
}

// A sample that stands for a series of iterations says nothing of a single index.
bool shows_iterations(const schema::Visit& visit) {
  return visit.iterations_per_sample == 1 &&
         std::all_of(visit.warmup_ns.begin(), visit.warmup_ns.end(),
                     [](int64_t sample) { return sample > 0; });
}

stats::PooledWarmup pool_warmup(const std::vector<const schema::Visit*>& visits) {
  std::vector<std::vector<double>> series;
  for (const schema::Visit* visit : visits) {
    if (!shows_iterations(*visit)) continue;
    for (const schema::InstanceTimes& instance : schema::by_instance(*visit)) {
      auto& times = series.emplace_back(instance.warmup_ns.begin(), instance.warmup_ns.end());
      const auto timed =
          instance.samples_ns.first(std::min(kLongestLook, instance.samples_ns.size()));
      times.insert(times.end(), timed.begin(), timed.end());
    }
  }
  const std::vector<std::span<const double>> spans(series.begin(), series.end());
  return stats::pooled_warmup(spans);
}

// How many of each instance's timed iterations the pooled profile counts as warm-up. A warm-up that
// the user fixed stays.
std::vector<std::size_t> late_warmups(const schema::Visit& visit, const RunView& view) {
  std::vector<std::size_t> late;
  for (const schema::InstanceTimes& instance : schema::by_instance(visit)) {
    const bool shows = !view.run->header.plan.warmup && shows_iterations(visit);
    const std::size_t needed =
        shows ? view.warmup.of(median_ns(instance.samples_ns)).iterations : 0;
    const std::size_t had = instance.warmup_ns.size();
    late.push_back(std::min(needed - std::min(needed, had), instance.samples_ns.size()));
  }
  return late;
}

using ByConfig = std::map<int, std::vector<UsableVisit>>;

// Whether an instance has too few iterations left.
bool is_short(const UsableVisit& usable, const RunView& view) {
  const std::vector<std::size_t> late = late_warmups(*usable.visit, view);
  for (std::size_t i = 0; i < late.size(); ++i) {
    const std::size_t made = usable.series[i].size();
    if (!has_enough(made, made - late[i])) return true;
  }
  return false;
}

// Visits that a longer warm-up leaves without three iterations are left out, unless that would cost
// the configuration more than half of its visits: then they keep their last three, and it is noted.
void trim(std::vector<UsableVisit>& visits, RunView& view) {
  const auto short_visits =
      std::count_if(visits.begin(), visits.end(),
                    [&](const UsableVisit& usable) { return is_short(usable, view); });
  const bool keep = 2 * short_visits > static_cast<std::ptrdiff_t>(visits.size());
  std::vector<UsableVisit> kept;
  for (UsableVisit& usable : visits) {
    usable.still_warming = is_short(usable, view);
    if (usable.still_warming && !keep) {
      ++view.excluded_visits;
      continue;
    }
    const std::vector<std::size_t> late = late_warmups(*usable.visit, view);
    bool trimmed = false;
    for (std::size_t i = 0; i < late.size(); ++i) {
      std::span<const int64_t>& samples = usable.series[i];
      const std::size_t most = samples.size() - std::min(kFewestIterations, samples.size());
      const std::size_t cut = usable.still_warming ? std::min(late[i], most) : late[i];
      trimmed |= cut > 0;
      samples = samples.subspan(cut);
    }
    if (trimmed) ++view.trimmed_visits;
    kept.push_back(std::move(usable));
  }
  visits = std::move(kept);
}

ByConfig usable_visits(RunView& view) {
  ByConfig by_config;
  const std::vector<int> first = first_alike(view.run->configs);
  const auto visits = measuring_visits(first, view);
  if (view.run->header.origin != "import") view.warmup = pool_warmup(visits);
  for (const schema::Visit* visit : visits) {
    UsableVisit usable{visit, {}, false};
    for (const auto& instance : schema::by_instance(*visit)) {
      usable.series.push_back(instance.samples_ns);
    }
    by_config[first[static_cast<std::size_t>(visit->config)]].push_back(std::move(usable));
  }
  for (auto& [config, usable] : by_config) trim(usable, view);
  std::erase_if(by_config, [](const auto& entry) { return entry.second.empty(); });
  return by_config;
}

// False when all visits together show a warm-up that had not ended when it could last be looked at.
bool is_settled(const UsableVisit& usable, const RunView& view) {
  if (view.run->header.plan.warmup || !shows_iterations(*usable.visit)) return true;
  const stats::WarmupNeed& need = view.warmup.of(median_ns(usable.visit->samples_ns));
  const bool unended = !need.determined && need.iterations > 0;
  return !usable.still_warming && (!unended || need.visits < kFewestVisitsToTell);
}

bool is_settled(const GroupData& group, const RunView& view) {
  if (view.run->header.origin == "import") return true;
  return std::all_of(group.configs.begin(), group.configs.end(), [&](const ConfigData& config) {
    const auto open = std::count_if(config.visits.begin(), config.visits.end(),
                                    [&](const UsableVisit& v) { return !is_settled(v, view); });
    return 2 * open <= static_cast<std::ptrdiff_t>(config.visits.size());
  });
}

schema::Purpose purpose_of(const std::vector<UsableVisit>& visits) {
  const bool all_control = std::all_of(visits.begin(), visits.end(), [](const UsableVisit& usable) {
    return usable.visit->purpose == schema::Purpose::control;
  });
  return all_control ? schema::Purpose::control : schema::Purpose::measure;
}

double mean_ns(std::span<const int64_t> samples) {
  const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
  return sum / static_cast<double>(samples.size());
}

BlockTable make_table(const std::vector<ConfigData>& configs,
                      double (*time_ns)(const UsableVisit&)) {
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

GroupData& group_for(std::vector<GroupData>& groups, const schema::RunConfig& config) {
  const schema::RunConfig key = schema::without_batch_size(config);
  const auto found = std::find_if(groups.begin(), groups.end(),
                                  [&](const GroupData& group) { return group.key == key; });
  if (found != groups.end()) return *found;
  groups.push_back({key, {}, {}, {}, {}, {}, true});
  return groups.back();
}

}  // namespace

double visit_median_ns(const UsableVisit& visit) {
  std::vector<double> medians;
  for (const auto samples : visit.series) medians.push_back(median_ns(samples));
  return medians.size() == 1 ? medians.front() : stats::harmonic_mean(medians);
}

double visit_mean_ns(const UsableVisit& visit) {
  std::vector<double> means;
  for (const auto samples : visit.series) means.push_back(mean_ns(samples));
  return means.size() == 1 ? means.front() : stats::harmonic_mean(means);
}

RunView view_run(const schema::RunFile& run) {
  RunView view;
  view.run = &run;
  view.repeated = run.header.origin != "import" && run.header.plan.isolation != "none";
  for (auto& [index, visits] : usable_visits(view)) {
    const schema::RunConfig& config = run.configs[static_cast<std::size_t>(index)];
    const schema::Purpose purpose = purpose_of(visits);
    group_for(view.groups, config).configs.push_back({config, index, purpose, std::move(visits)});
  }
  for (GroupData& group : view.groups) {
    std::stable_sort(
        group.configs.begin(), group.configs.end(),
        [](const ConfigData& a, const ConfigData& b) { return a.batch_size() < b.batch_size(); });
    group.table = make_table(group.configs, visit_median_ns);
    group.calm = with_spikes_moved_in(group.table);
    group.work = make_table(group.configs, visit_mean_ns);
    group.calm_work = with_spikes_moved_in(group.work);
    group.settled = is_settled(group, view);
  }
  return view;
}

BlockTable testable_columns(const GroupData& group, bool with_controls) {
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
      table.blocks[k].push_back(group.calm.blocks[k][s]);
    }
  }
  return table;
}

}  // namespace batchscope::analyze
