#include "batchscope/tune/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "batchscope/schema/environments.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/stats/rng.hpp"
#include "batchscope/timing/warmups.hpp"
#include "search/observe.hpp"

namespace batchscope::tune {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
using base::Subject;

// What configurations must share to be alternatives of one another.
struct Work {
  std::string model;
  std::optional<int64_t> seq_len;
  std::string length_mix;
  schema::Mode mode;
  auto operator<=>(const Work&) const = default;
};

Work work_of(const schema::RunConfig& config) {
  return {config.model, config.shape.seq_len, config.shape.length_mix, config.mode};
}

Result<void> check_one_work(const std::vector<Recorded>& table) {
  for (const Recorded& each : table) {
    if (work_of(each.config) == work_of(table.front().config)) continue;
    return Error{ErrorKind::input,
                 fmt::format("'{}' and '{}' do different work, of which neither can stand for the "
                             "other",
                             schema::describe(table.front().config), schema::describe(each.config)),
                 "", "give a table of one model, one sequence length and one mode"};
  }
  return {};
}

// What looks for causes, often under an environment of its own, is nothing to
// choose.
bool is_experiment(schema::Purpose purpose) {
  return purpose == schema::Purpose::diagnostic || purpose == schema::Purpose::intervention;
}

Result<void> check_quantile(const schema::RunFile& run, const Goal& goal) {
  if (!goal.latency_budget_s || !probability_of(goal.latency_of)) return {};
  const auto of_several = [](const schema::Visit& visit) {
    return visit.purpose == schema::Purpose::measure && visit.iterations_per_sample > 1;
  };
  if (std::none_of(run.visits.begin(), run.visits.end(), of_several)) return {};
  return Error{ErrorKind::input,
               fmt::format("its times are means over several batches, of which no {} of a batch "
                           "can be told",
                           to_string(goal.latency_of)),
               Subject::latency_budget,
               "bound the mean: " + mention(Subject::latency_quantile) + " mean"};
}

}  // namespace

Result<std::vector<Recorded>> recorded_points(const schema::RunFile& run, const Goal& goal) {
  struct Sums {
    std::vector<double> log_times, log_latencies;
    std::optional<int64_t> memory;
    std::optional<Failure> failure;
  };
  if (auto known = check_quantile(run, goal); !known) return known.error();
  const timing::Warmups warmups = timing::warmups_so_far(run);
  std::map<int, Sums> by_config;
  const auto environments = schema::planned_environments(run);
  const auto is_asked_for = [&](const schema::RunConfig& config) {
    return std::find(environments.begin(), environments.end(), config.environment) !=
           environments.end();
  };
  for (const schema::Visit* visit : schema::current_visits(run)) {
    if (is_experiment(visit->purpose) || visit->samples_ns.empty()) continue;
    const auto config = static_cast<std::size_t>(visit->config);
    const Observation seen = observe(*visit, run.configs[config], goal, warmups);
    Sums& sums = by_config[visit->config];
    sums.log_times.push_back(std::log(seen.time_s));
    sums.log_latencies.push_back(std::log(seen.latency_s));
    if (seen.memory_bytes) sums.memory = std::max(sums.memory.value_or(0), *seen.memory_bytes);
  }
  for (const schema::Event& event : run.events) {
    const auto failure = failure_of(event);
    if (!failure || !is_asked_for(run.configs[static_cast<std::size_t>(*event.where.config)]))
      continue;
    by_config[*event.where.config].failure = failure;
  }
  std::vector<Recorded> table;
  for (const auto& [index, sums] : by_config) {
    Recorded made;
    made.config = run.configs[static_cast<std::size_t>(index)];
    made.memory_bytes = sums.memory;
    if (sums.log_times.empty()) {
      made.failure = sums.failure;
    } else {
      made.time_s = std::exp(stats::mean(sums.log_times));
      made.latency_s = std::exp(stats::mean(sums.log_latencies));
    }
    table.push_back(std::move(made));
  }
  if (table.empty()) {
    return Error{ErrorKind::input, "the table holds no measurement: the grid is empty",
                 Subject::replay,
                 "give a CSV table or a run file with at least one measured configuration"};
  }
  if (auto same = check_one_work(table); !same) return same.error();
  return table;
}

Replay::Replay(std::vector<Recorded> table, double noise, uint64_t seed)
    : table_(std::move(table)), noise_(noise), seed_(seed) {}

std::vector<schema::RunConfig> Replay::grid() const {
  std::vector<schema::RunConfig> grid;
  grid.reserve(table_.size());
  for (const Recorded& each : table_) grid.push_back(each.config);
  return grid;
}

std::variant<Observation, Failure> Replay::visit(std::size_t point) {
  const Recorded& recorded = table_[point];
  stats::Rng rng(stats::mix_seed(seed_, static_cast<uint64_t>(visits_++)));
  if (recorded.failure) return *recorded.failure;
  const double factor = std::exp(noise_ * rng.normal());
  return Observation{recorded.time_s * factor, recorded.latency_s * factor, recorded.memory_bytes};
}

void run(Search& search, Replay& replay, const std::function<void(const Ask&)>& told) {
  for (auto round = search.ask(); !round.empty(); round = search.ask()) {
    for (const Ask& ask : round) {
      if (told) told(ask);
      std::visit([&](const auto& outcome) { search.tell(ask.point, outcome); },
                 replay.visit(ask.point));
    }
  }
}

double worth(const Recorded& point, const Goal& goal) {
  if (point.failure) return 0;
  if (goal.latency_budget_s && point.latency_s > *goal.latency_budget_s) return 0;
  if (goal.memory_limit_bytes && point.memory_bytes.value_or(0) > *goal.memory_limit_bytes)
    return 0;
  if (goal.objective == Objective::latency) return 1 / point.time_s;
  return static_cast<double>(schema::samples_at_once(point.config)) / point.time_s;
}

double share_of_best(const std::vector<Recorded>& table, std::size_t point, const Goal& goal) {
  double best = 0;
  for (const Recorded& each : table) best = std::max(best, worth(each, goal));
  return best > 0 ? worth(table[point], goal) / best : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace batchscope::tune
