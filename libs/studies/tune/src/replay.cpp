#include "batchscope/tune/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "batchscope/stats/rng.hpp"
#include "batchscope/tables/environments.hpp"
#include "batchscope/timing/visits.hpp"
#include "search/observe.hpp"

namespace batchscope::tune {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

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

Result<void> check_one_work(const std::vector<RecordedTable>& table) {
  for (const RecordedTable& each : table) {
    if (work_of(each.config) == work_of(table.front().config)) continue;
    return Error{ErrorKind::input,
                 fmt::format("'{}' and '{}' do different work, so neither can replace the other",
                             schema::describe(table.front().config), schema::describe(each.config)),
                 "", "give a table of one model, one sequence length and one mode"};
  }
  return {};
}

Result<void> check_quantile(const schema::RunFile& run, const Goal& goal) {
  if (!goal.latency_budget_s || !probability_of(goal.latency_of.value())) return {};
  const auto of_several = [](const schema::Visit& visit) {
    return visit.purpose == schema::Purpose::measure && visit.iterations_per_sample > 1;
  };
  if (std::none_of(run.visits.begin(), run.visits.end(), of_several)) return {};
  return Error{
      ErrorKind::input,
      fmt::format("its times are means over several batches; they cannot show the {} of one batch",
                  goal.latency_of.text()),
      "--latency-budget", "bound the mean: --latency-quantile mean"};
}

}  // namespace

namespace {

// Of the visits of one configuration, at least one.
RecordedTable recorded(const timing::WarmVisits& visits, const schema::RunConfig& config,
                       const Goal& goal) {
  RecordedTable made;
  made.config = config;
  std::vector<double> means, typical, latencies;
  for (const Observation& seen : observe(visits, config, goal)) {
    made.memory_bytes = std::max(made.memory_bytes, seen.memory_bytes);
    if (seen.still_warming) continue;
    means.push_back(std::log(seen.mean_s));
    typical.push_back(std::log(seen.typical_s));
    latencies.push_back(std::log(seen.latency_s));
  }
  made.mean_s = timing::over_visits(means).value;
  made.typical_s = timing::over_visits(typical).value;
  made.latency_s = timing::over_visits(latencies).value;
  return made;
}

}  // namespace

Result<std::vector<RecordedTable>> recorded_points(const schema::RunFile& run, const Goal& goal) {
  if (auto known = check_quantile(run, goal); !known) return known.error();
  std::map<int, RecordedTable> by_config;
  const auto environments = tables::planned_environments(run);
  const auto is_asked_for = [&](const schema::RunConfig& config) {
    return std::find(environments.begin(), environments.end(), config.environment) !=
           environments.end();
  };
  const auto made = timing::visits_of(run, timing::Use::measured, timing::warmups_of(run));
  for (const auto& [index, visits] : made.by_config) {
    by_config[index] = recorded(visits, run.configs[static_cast<std::size_t>(index)], goal);
  }
  for (const schema::Event& event : run.events) {
    const auto failure = failure_of(event);
    if (!failure || made.by_config.contains(*event.where.config)) continue;
    const schema::RunConfig& config = run.configs[static_cast<std::size_t>(*event.where.config)];
    if (!is_asked_for(config)) continue;
    by_config[*event.where.config].config = config;
    by_config[*event.where.config].failure = failure;
  }
  std::vector<RecordedTable> table;
  for (auto& [index, point] : by_config) table.push_back(std::move(point));
  if (table.empty()) {
    return Error{ErrorKind::input, "the table contains no measurements", "--replay",
                 "give a CSV table or a run file with at least one measured configuration"};
  }
  if (auto same = check_one_work(table); !same) return same.error();
  return table;
}

Replay::Replay(std::vector<RecordedTable> table, double noise, uint64_t seed)
    : table_(std::move(table)), noise_(noise), seed_(seed) {}

std::vector<schema::RunConfig> Replay::grid() const {
  std::vector<schema::RunConfig> grid;
  grid.reserve(table_.size());
  for (const RecordedTable& each : table_) grid.push_back(each.config);
  return grid;
}

std::variant<Observation, FailureKind> Replay::visit(std::size_t point) {
  const RecordedTable& recorded = table_[point];
  stats::Rng rng(stats::mix_seed(seed_, static_cast<uint64_t>(visits_++)));
  if (recorded.failure) return *recorded.failure;
  const double factor = std::exp(noise_ * rng.normal());
  Observation seen{recorded.mean_s * factor, recorded.latency_s * factor, recorded.memory_bytes};
  seen.typical_s = recorded.typical_s * factor;
  return seen;
}

void run(Search& search, Replay& replay, const std::function<void(const Suggestion&)>& reported) {
  for (auto round = search.ask(); !round.empty(); round = search.ask()) {
    for (const Suggestion& ask : round) {
      if (reported) reported(ask);
      std::visit([&](const auto& outcome) { search.tell(ask.point, outcome); },
                 replay.visit(ask.point));
    }
  }
}

double worth(const RecordedTable& point, const Goal& goal) {
  if (point.failure) return 0;
  if (goal.latency_budget_s && point.latency_s > *goal.latency_budget_s) return 0;
  if (goal.memory_limit_bytes && point.memory_bytes.value_or(0) > *goal.memory_limit_bytes)
    return 0;
  if (goal.objective == Objective::latency) return 1 / point.typical_s;
  return static_cast<double>(schema::samples_at_once(point.config)) / point.mean_s;
}

double share_of_best(const std::vector<RecordedTable>& table, std::size_t point, const Goal& goal) {
  double best = 0;
  for (const RecordedTable& each : table) best = std::max(best, worth(each, goal));
  return best > 0 ? worth(table[point], goal) / best : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace batchscope::tune
