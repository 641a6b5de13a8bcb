#include "run_cost.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "batchscope/timing/visits.hpp"

namespace batchscope::analyze {
namespace {

double wall_s(const schema::Visit& visit, double visit_s) {
  return static_cast<double>(visit.wall_ns) / 1e9 + std::max(0.0, visit_s - timing::timed_s(visit));
}

// The mean cost of a visit of each configuration that has some of this purpose.
std::map<int, double> costs_of(const schema::RunFile& run, schema::Purpose purpose,
                               double visit_s) {
  std::map<int, std::pair<double, int>> sums;
  for (const schema::Visit& visit : run.visits) {
    if (visit.purpose != purpose) continue;
    auto& [sum, n] = sums[visit.config];
    sum += wall_s(visit, visit_s);
    ++n;
  }
  std::map<int, double> costs;
  for (const auto& [config, sum] : sums) costs[config] = sum.first / sum.second;
  return costs;
}

double samples_of(const schema::RunFile& run, int config) {
  return static_cast<double>(
      schema::samples_at_once(run.configs[static_cast<std::size_t>(config)]));
}

// From the largest configuration below it, in samples; without one, as the cheapest.
double extrapolated(const schema::RunFile& run, int config, const std::map<int, double>& costs) {
  const double samples = samples_of(run, config);
  double nearest = 0, cost = 0;
  for (const auto& [other, of_other] : costs) {
    const double here = samples_of(run, other);
    if (here > samples || here < nearest) continue;
    nearest = here;
    cost = of_other * samples / here;
  }
  if (nearest > 0) return cost;
  return std::min_element(costs.begin(), costs.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->second;
}

// What the table was planned to hold: not what only experiments added, or what failed alone.
std::set<int> planned(const schema::RunFile& run) {
  std::set<int> configs, others;
  for (int i = 0; i < static_cast<int>(run.configs.size()); ++i) configs.insert(i);
  for (const schema::Visit& visit : run.visits) {
    if (visit.purpose != schema::Purpose::measure) others.insert(visit.config);
  }
  for (const schema::Event& event : run.events) {
    if (schema::is_failure(event) && event.where.config) others.insert(*event.where.config);
  }
  for (const schema::Visit& visit : run.visits) {
    if (visit.purpose == schema::Purpose::measure) others.erase(visit.config);
  }
  for (const int other : others) configs.erase(other);
  return configs;
}

double sum_of(const std::map<int, double>& costs) {
  double sum = 0;
  for (const auto& [config, cost] : costs) sum += cost;
  return sum;
}

// All visits of a purpose, once more.
double once_more_s(const schema::RunFile& run, double visit_s, bool measuring) {
  double sum = 0;
  for (const schema::Visit& visit : run.visits) {
    const bool is_main = visit.purpose == schema::Purpose::measure;
    if (is_main == measuring) sum += wall_s(visit, visit_s);
  }
  return sum;
}

}  // namespace

RunCost cost_again(const schema::RunFile& run, int blocks, double visit_s) {
  auto costs = costs_of(run, schema::Purpose::measure, visit_s);
  if (costs.empty()) return {};
  if (run.header.origin == schema::Origin::tune) {
    const auto fresh = costs_of(run, schema::Purpose::verify, visit_s);
    const double block_s = sum_of(fresh.empty() ? costs : fresh);
    const double all_s = once_more_s(run, visit_s, true) + blocks * block_s;
    return {all_s, all_s};
  }
  double block_s = sum_of(costs);
  for (const int config : planned(run)) {
    if (costs.count(config) == 0) block_s += extrapolated(run, config, costs);
  }
  const double main_s = blocks * block_s;
  return {main_s, main_s + once_more_s(run, visit_s, false)};
}

}  // namespace batchscope::analyze
