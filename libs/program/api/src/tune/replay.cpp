#include "batchscope/tune/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "batchscope/api/tune.hpp"
#include "batchscope/base/counted.hpp"
#include "batchscope/base/file.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/csv/import_csv.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/binomial.hpp"
#include "batchscope/tables/split_search.hpp"
#include "grid.hpp"
#include "search_answer.hpp"

namespace batchscope::api {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

Result<schema::RunFile> read_table(const std::filesystem::path& path) {
  if (path.extension() == ".jsonl") return schema::read_run_file(path);
  auto text = base::read_file(path);
  if (!text) return std::move(text).error();
  csv::ImportOptions options;
  options.model = path.stem().string();
  return csv::import_csv(*text, path.string(), options);
}

// A quantile that a bound is of, and that the table cannot tell.
std::optional<std::string> too_few_samples(const schema::RunFile& run, const tune::Goal& goal) {
  const auto probability = tune::probability_of(goal.latency_of.value());
  const bool typed = goal.latency_of != tune::LatencyStatistic::p50;
  if (!goal.latency_budget_s || !probability || !typed) return std::nullopt;
  std::map<int, std::size_t> samples;
  for (const schema::Visit& visit : run.visits) samples[visit.config] += visit.samples_ns.size();
  const std::size_t needed = stats::quantile_sample_size(*probability);
  const auto poor = std::count_if(samples.begin(), samples.end(),
                                  [&](const auto& each) { return each.second < needed; });
  if (poor == 0) return std::nullopt;
  return fmt::format(
      "for {} of {} the table has too few samples to be reliable: fewer than the {} iterations "
      "that {} needs",
      poor, base::counted(samples.size(), "configuration"), needed, goal.latency_of.text());
}

// Good sizes are told by holding each against all its splits.
Result<void> check_sizes(const std::vector<tune::RecordedTable>& table) {
  for (const tune::RecordedTable& each : table) {
    if (each.config.shape.batch_size <= tables::kLargestSplitBatch) continue;
    return Error{ErrorKind::input,
                 fmt::format("batch {} is above the limit of {} for tables",
                             each.config.shape.batch_size, tables::kLargestSplitBatch),
                 "--replay",
                 fmt::format("omit larger sizes: --max-batch-size {}", tables::kLargestSplitBatch)};
  }
  return {};
}

Result<std::vector<tune::RecordedTable>> read_points(const schema::RunFile& run,
                                                     const ReplayOptions& options,
                                                     std::vector<std::string>& warnings) {
  const tune::Goal& goal = options.plan.goal;
  for (const schema::Event& event : run.events) {
    if (event.kind == schema::EventKind::warning) warnings.push_back(event.what);
  }
  auto table = tune::recorded_points(run, goal);
  if (!table) {
    Error error = std::move(table).error();
    if (error.where.empty()) error.where = options.table.string();
    return error;
  }
  if (const auto poor = too_few_samples(run, goal)) warnings.push_back(*poor);
  const bool sized = std::any_of(table->begin(), table->end(), [](const tune::RecordedTable& each) {
    return each.memory_bytes || each.failure == tune::FailureKind::out_of_memory;
  });
  if (goal.memory_limit_bytes && !sized) {
    return Error{ErrorKind::usage, "the table has no memory figures", "--memory-limit",
                 "add a column memory_bytes, or omit the limit"};
  }
  std::vector<int64_t> sizes;
  for (const tune::RecordedTable& each : *table) sizes.push_back(each.config.shape.batch_size);
  if (auto left = bound_batch_sizes(options.max_batch_size, sizes); !left) return left.error();
  if (options.max_batch_size) {
    std::erase_if(*table, [&](const tune::RecordedTable& each) {
      return each.config.shape.batch_size > *options.max_batch_size;
    });
  }
  if (auto searchable = check_sizes(*table); !searchable) return searchable.error();
  return table;
}

bool says_memory(const schema::RunFile& run) {
  const auto points = tune::recorded_points(run, {});
  return !points ||
         std::any_of(points->begin(), points->end(), [](const tune::RecordedTable& each) {
           return each.memory_bytes || each.failure == tune::FailureKind::out_of_memory;
         });
}

// What the run that is replayed says itself, with its fresh visits, where it comes to the same
// setting for what is asked now.
std::optional<tune::Tuned> standalone_result(const schema::RunFile& run,
                                             const ReplayOptions& options,
                                             const tune::Tuned& replayed) {
  if (run.header.origin != schema::Origin::tune || !replayed.chosen) return std::nullopt;
  tune::Tuned own = tune::tuned_of(run, options.plan);
  if (!own.chosen || !own.fresh) return std::nullopt;
  const bool same = own.outcome.grid[*own.chosen] == replayed.outcome.grid[*replayed.chosen];
  return same ? std::optional(std::move(own)) : std::nullopt;
}

// What bounded the run that is replayed bounds its replay too, unless it is asked for otherwise: a
// setting that breaks it must not be deployed by the way.
ReplayOptions within_recorded_bounds(const schema::RunFile& run, ReplayOptions options,
                                     std::vector<std::string>& warnings) {
  tune::Goal& goal = options.plan.goal;
  const schema::MeasurementPlan& plan = run.header.plan;
  if (!goal.latency_budget_s && plan.latency_budget_s) {
    goal.latency_budget_s = plan.latency_budget_s;
    const schema::LatencyStatistic bounded = bounded_latency(run.header);
    if (bounded != schema::LatencyStatistic::other) goal.latency_of = bounded;
    warnings.push_back(fmt::format(
        "using the latency budget of the recorded run: {} of {}; --latency-budget sets another",
        base::format_seconds(*goal.latency_budget_s), goal.latency_of.text()));
  }
  if (!goal.memory_limit_bytes && plan.memory_limit_bytes && !says_memory(run)) {
    warnings.push_back(
        fmt::format("the recorded run had a memory limit of {} but recorded no memory; its "
                    "settings ran, so they met the limit",
                    base::format_bytes(*plan.memory_limit_bytes)));
  } else if (!goal.memory_limit_bytes && plan.memory_limit_bytes) {
    goal.memory_limit_bytes = plan.memory_limit_bytes;
    warnings.push_back(
        fmt::format("using the memory limit of the recorded run: {}; --memory-limit sets another",
                    base::format_bytes(*goal.memory_limit_bytes)));
  }
  return options;
}

void compare_with_table(const std::vector<tune::RecordedTable>& table, const schema::RunFile& run,
                        const tune::Tuned& tuned, findings::Tuning& result) {
  if (!tuned.chosen) return;
  const tune::SearchOutcome& outcome = tuned.outcome;
  const double share = tune::share_of_best(table, *tuned.chosen, outcome.goal);
  if (std::isnan(share)) return;
  result.share_of_best = share;
  result.points_recorded = static_cast<int>(table.size());
  result.points_planned =
      std::max(result.points_recorded, static_cast<int>(run.header.configurations));
  result.best = std::max_element(table.begin(), table.end(), [&](const auto& a, const auto& b) {
                  return tune::worth(a, outcome.goal) < tune::worth(b, outcome.goal);
                })->config;
}

}  // namespace

Result<findings::Tuning> replay(const Program& program, const ReplayOptions& asked,
                                const VisitReport& reported) {
  std::vector<std::string> warnings;
  const auto run = read_table(asked.table);
  if (!run) return run.error();
  const ReplayOptions options = within_recorded_bounds(*run, asked, warnings);
  const auto table = read_points(*run, options, warnings);
  if (!table) return table.error();
  tune::Replay machine(*table, options.noise, options.seed);
  tune::Search search(machine.grid(), options.plan.goal, options.plan.search);
  tune::run(search, machine, [&](const tune::Suggestion& ask) {
    if (reported) reported(ask, search.grid()[ask.point]);
  });
  const tune::Tuned tuned =
      tune::tuned_of(search, options.current_batch_size,
                     options.plan.goal.practical.value_or(findings::kPractical));
  const auto own = standalone_result(*run, options, tuned);
  findings::Tuning result = tune::tuning_of(own ? *own : tuned);
  result.warnings.insert(result.warnings.begin(), warnings.begin(), warnings.end());
  compare_with_table(*table, *run, tuned, result);
  result.answer = answer_of_search(program, *run, result, options.table.string());
  return result;
}

}  // namespace batchscope::api
