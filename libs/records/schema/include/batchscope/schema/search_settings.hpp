#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "batchscope/base/result.hpp"
#include "batchscope/schema/open_enum.hpp"

// What a search was to find, kept with its run. In the file it stands among the axes, as texts.
namespace batchscope::schema {

// What the best configuration has most (throughput) or least of (latency of a batch, cost of a
// sample).
enum class Objective { throughput, latency, cost, other };
std::string_view to_string(Objective objective);

// Which latency of a batch a budget bounds: the mean, or a percentile, in tenths of a percent.
// Every number between 0 and 1000 is one.
enum class LatencyStatistic { mean = 0, p50 = 500, p90 = 900, p99 = 990, other = 1000 };
std::string_view to_string(LatencyStatistic statistic);
// "mean", "p50", "p95", "p99.9". Errors: usage.
base::Result<LatencyStatistic> parse_latency_statistic(std::string_view text);
// 0.5, 0.9, 0.99; absent for the mean.
std::optional<double> probability_of(LatencyStatistic statistic);

// Of a search for the best configuration (origin tune); its budget and its limits are in the plan.
struct TuneSettings {
  OpenEnum<Objective> objective = Objective::throughput;
  OpenEnum<LatencyStatistic> latency_of = LatencyStatistic::p50;
  std::optional<double> price_per_hour{};  // of the machine, in any currency
  std::optional<int> points{};             // that are measured at most; absent: by themselves
  std::optional<double> practical{};       // a gain below it is no advice; absent: the usual one
  std::optional<int> verify_blocks{};      // fresh visits of the comparison with the default
  bool operator==(const TuneSettings&) const = default;
};

// Of a search for the largest batch (origin max_batch).
struct MaxBatchSettings {
  double margin = 0.05;                     // of the limit, that the safe size leaves free
  double soak_s = 30;                       // how long the safe size has to run, at least
  std::optional<int64_t> max_batch_size{};  // larger ones are not tried
  int64_t limit_bytes = 0;                  // that a batch has to fit into; 0: not known
  std::string limit_of{};  // what sets it, as its reader calls it: "the memory of cuda:0"
  bool limit_held = true;  // workers are held to it; false: the accelerator is what ends them
  // What the machine itself could give, for telling by how much a single sample is too large.
  int64_t machine_bytes = 0;
  bool operator==(const MaxBatchSettings&) const = default;
};

}  // namespace batchscope::schema
