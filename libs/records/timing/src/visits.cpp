#include "batchscope/timing/visits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "batchscope/stats/descriptive.hpp"
#include "batchscope/timing/evidence.hpp"
#include "cut_visits.hpp"
#include "gives_a_time.hpp"

namespace batchscope::timing {
namespace {

constexpr int kNone = -1;

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

using Visits = std::vector<const schema::Visit*>;

// Visits of one use by configuration, each of which stands in `as` for one that equals it; what is
// passed over is counted.
std::map<int, Visits> visits_by_config(const schema::RunFile& run, Use use, int blocks,
                                       const std::vector<int>& as, RunVisits& counts) {
  std::map<int, Visits> made;
  std::set<std::pair<int, int>> seen;
  for (const schema::Visit* visit : schema::current_visits(run)) {
    if (!is_known(*visit, run) || !serves(visit->purpose, use) || visit->block >= blocks) continue;
    const int config = as[static_cast<std::size_t>(visit->config)];
    if (config == kNone) continue;
    if (!is_timed(*visit)) {
      ++counts.untimed;
    } else if (!seen.emplace(config, visit->block).second) {
      ++counts.repeated;
    } else {
      made[config].push_back(visit);
    }
  }
  if (use != Use::measured) return made;
  for (auto& [config, visits] : made) leave_to_longer(visits);
  return made;
}

}  // namespace

bool serves(schema::Purpose purpose, Use use) {
  switch (use) {
    case Use::measured:
      return purpose == schema::Purpose::measure || purpose == schema::Purpose::control ||
             purpose == schema::Purpose::longer;
    case Use::fresh:
      return purpose == schema::Purpose::verify;
    case Use::intervention:
      break;
  }
  return purpose == schema::Purpose::intervention;
}

void leave_to_longer(std::vector<const schema::Visit*>& visits) {
  const auto is_short = [](const schema::Visit* visit) {
    return visit->purpose != schema::Purpose::longer;
  };
  const auto shorter = std::count_if(visits.begin(), visits.end(), is_short);
  if (std::ssize(visits) - shorter < static_cast<std::ptrdiff_t>(kPairsToProve)) return;
  visits.erase(std::remove_if(visits.begin(), visits.end(), is_short), visits.end());
}

bool is_known(const schema::Visit& visit, const schema::RunFile& run) {
  return visit.config >= 0 && static_cast<std::size_t>(visit.config) < run.configs.size();
}

bool is_timed(const schema::Visit& visit) {
  return !visit.samples_ns.empty() && std::all_of(visit.samples_ns.begin(), visit.samples_ns.end(),
                                                  [](int64_t sample) { return sample > 0; });
}

double timed_s(const schema::Visit& visit) {
  double most_ns = 0;
  for (const schema::InstanceTimes& instance : schema::by_instance(visit)) {
    const auto& samples = instance.samples_ns;
    most_ns = std::max(most_ns, std::accumulate(samples.begin(), samples.end(), 0.0));
  }
  return 1e-9 * most_ns * static_cast<double>(visit.iterations_per_sample);
}

WarmVisits cut_visits(const schema::RunFile& run, const schema::RunConfig& config, Use use,
                      const Warmups& warmups) {
  std::vector<int> as;
  for (const schema::RunConfig& each : run.configs) as.push_back(each == config ? 0 : kNone);
  RunVisits counts;
  return steady_visits(visits_by_config(run, use, kAllBlocks, as, counts)[0], warmups);
}

RunVisits visits_of(const schema::RunFile& run, Use use, const Warmups& warmups, int blocks) {
  const Warmups shown = shown_in(run, use, warmups);
  RunVisits visits;
  for (const auto& [config, made] :
       visits_by_config(run, use, blocks, first_alike(run.configs), visits)) {
    visits.by_config[config] = steady_visits(made, shown);
  }
  return visits;
}

WarmVisits visits_of(const schema::RunFile& run, const schema::RunConfig& config, Use use,
                     const Warmups& warmups) {
  return cut_visits(run, config, use, shown_in(run, use, warmups));
}

LogsByBlock logs_by_block(const WarmVisits& visits, TimeOfVisit time) {
  LogsByBlock logs;
  for (const SteadyVisit& visit : visits.visits) {
    logs.emplace(visit.visit->block, std::log(time(visit)));
  }
  return logs;
}

std::vector<double> logs_of(std::span<const SteadyVisit> visits, TimeOfVisit time) {
  std::vector<double> logs;
  logs.reserve(visits.size());
  for (const SteadyVisit& visit : visits) logs.push_back(std::log(time(visit)));
  return logs;
}

TimeOverVisits over_visits(std::span<const double> logs, double level) {
  TimeOverVisits over{std::exp(stats::mean(logs)), std::nullopt};
  if (logs.size() < static_cast<std::size_t>(kVisitsForInterval)) return over;
  const auto interval = stats::mean_interval(logs, level, stats::Method::student_t);
  if (!interval) return over;
  over.interval = stats::Interval{std::exp(interval->low), std::exp(interval->high)};
  return over;
}

TimeOverVisits milliseconds_over_visits(std::span<const double> logs_ns, double level) {
  const TimeOverVisits ns = over_visits(logs_ns, level);
  const auto ms = [](double value) { return value * 1e-6; };
  if (!ns.interval) return {ms(ns.value), std::nullopt};
  return {ms(ns.value), stats::Interval{ms(ns.interval->low), ms(ns.interval->high)}};
}

}  // namespace batchscope::timing
