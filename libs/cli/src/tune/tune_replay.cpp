#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "batchscope/base/file.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/schema/import_csv.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/stats/binomial.hpp"
#include "batchscope/tables/split_search.hpp"
#include "batchscope/tune/replay.hpp"
#include "command.hpp"
#include "output.hpp"
#include "subject_flags.hpp"
#include "tune_modes.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

Result<schema::RunFile> read_table(const std::filesystem::path& path) {
  if (path.extension() == ".jsonl") return schema::read_run_file(path);
  auto text = base::read_file(path);
  if (!text) return std::move(text).error();
  schema::ImportOptions options;
  options.spelling = flag_of;
  options.model = path.stem().string();
  return schema::import_csv(*text, path.string(), options);
}

Result<double> read_noise(const TuneFlags& flags) {
  if (flags.noise.empty()) return 0.0;
  auto noise = base::parse_ratio(flags.noise);
  if (noise) return noise;
  Error error = std::move(noise).error();
  error.where = "--noise";
  return error;
}

// A quantile that a bound is of, and that the table cannot tell.
std::optional<std::string> too_few_samples(const schema::RunFile& run, const tune::Goal& goal) {
  const auto probability = tune::probability_of(goal.latency_of);
  const bool typed = goal.latency_of != tune::LatencyStatistic::p50;
  if (!goal.latency_budget_s || !probability || !typed) return std::nullopt;
  std::map<int, std::size_t> samples;
  for (const schema::Visit& visit : run.visits) samples[visit.config] += visit.samples_ns.size();
  const std::size_t needed = stats::quantile_sample_size(*probability);
  const auto poor = std::count_if(samples.begin(), samples.end(),
                                  [&](const auto& each) { return each.second < needed; });
  if (poor == 0) return std::nullopt;
  return fmt::format(
      "the latency of {} of {} configurations is bounded by what the table has: fewer than the {} "
      "iterations that {} takes",
      poor, samples.size(), needed, to_string(goal.latency_of));
}

// Good sizes are told by holding each against all its splits.
Result<void> check_sizes(const std::vector<tune::Recorded>& table) {
  for (const tune::Recorded& each : table) {
    if (each.config.shape.batch_size <= tables::kLargestSplitBatch) continue;
    return Error{
        ErrorKind::input,
        fmt::format("batch {} is beyond {}, up to which a table can be searched",
                    each.config.shape.batch_size, tables::kLargestSplitBatch),
        "--replay",
        fmt::format("leave larger ones out: --max-batch-size {}", tables::kLargestSplitBatch)};
  }
  return {};
}

Result<std::vector<tune::Recorded>> read_points(const TuneFlags& flags, const tune::Goal& goal,
                                                std::vector<std::string>& warnings) {
  auto run = read_table(flags.replay);
  if (!run) return std::move(run).error();
  for (const schema::Event& event : run->events) {
    if (event.kind == schema::EventKind::warning) warnings.push_back(event.what);
  }
  auto table = tune::recorded_points(*run, goal);
  if (!table) {
    Error error = std::move(table).error();
    if (base::place_of(error).empty()) error.where = flags.replay.string();
    return error;
  }
  if (const auto poor = too_few_samples(*run, goal)) warnings.push_back(*poor);
  const bool sized = std::any_of(table->begin(), table->end(), [](const tune::Recorded& each) {
    return each.memory_bytes || each.failure == tune::Failure::out_of_memory;
  });
  if (goal.memory_limit_bytes && !sized) {
    return Error{ErrorKind::usage, "the table does not say how much memory anything takes",
                 "--memory-limit", "add a column memory_bytes, or leave the limit out"};
  }
  std::vector<int64_t> sizes;
  for (const tune::Recorded& each : *table) sizes.push_back(each.config.shape.batch_size);
  if (auto left = bound_batch_sizes(flags, sizes); !left) return left.error();
  if (flags.max_batch_size > 0) {
    std::erase_if(*table, [&](const tune::Recorded& each) {
      return each.config.shape.batch_size > flags.max_batch_size;
    });
  }
  if (auto searchable = check_sizes(*table); !searchable) return searchable.error();
  return table;
}

void compare_with_table(const std::vector<tune::Recorded>& table, const tune::Tuned& tuned,
                        findings::Tuning& result) {
  if (!tuned.chosen) return;
  const tune::Outcome& outcome = tuned.outcome;
  const double share = tune::share_of_best(table, *tuned.chosen, outcome.goal);
  if (std::isnan(share)) return;
  result.share_of_best = share;
  result.best = std::max_element(table.begin(), table.end(), [&](const auto& a, const auto& b) {
                  return tune::worth(a, outcome.goal) < tune::worth(b, outcome.goal);
                })->config;
}

std::optional<int64_t> current_size(const TuneFlags& flags) {
  const int64_t size = flags.profile.current_batch_size;
  return size > 0 ? std::optional(size) : std::nullopt;
}

}  // namespace

int tune_by_replay(const TuneFlags& flags, const base::Log& log) {
  const auto plan = read_tune_plan(flags);
  if (!plan) return fail(log, plan.error());
  const auto noise = read_noise(flags);
  if (!noise) return fail(log, noise.error());
  std::vector<std::string> warnings;
  const auto table = read_points(flags, plan->goal, warnings);
  if (!table) return fail(log, table.error());
  tune::Replay replay(*table, *noise, flags.profile.seed.value_or(1));
  tune::Search search(replay.grid(), plan->goal, plan->search);
  tune::run(search, replay, [&](const tune::Ask& ask) {
    if (!flags.explain) return;
    log.info(fmt::format("{}: {}: {}", to_string(ask.stage),
                         tune::setting_words(search.grid()[ask.point]), ask.reason));
  });
  const tune::Tuned tuned = tune::tuned_of(search, current_size(flags), plan->practical);
  findings::Tuning result = tune::tuning_of(tuned, flag_of);
  result.warnings.insert(result.warnings.begin(), warnings.begin(), warnings.end());
  compare_with_table(*table, tuned, result);
  return print_result(result, {}, flags, log);
}

}  // namespace batchscope::cli
