#pragma once

#include <optional>
#include <string>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/tables/run_view.hpp"

namespace batchscope::analyze {

// What a recommended configuration must keep to.
struct Bounds {
  std::optional<double> latency_ms;
  schema::LatencyStatistic latency_of = schema::LatencyStatistic::p50;  // that it bounds
  std::optional<int64_t> memory_bytes;
  bool host_only = false;  // the memory limit is one of processes, and says nothing of a GPU
  // Of the times that are held against it.
  const tables::RunView* view = nullptr;
  double level = 0.95;

  bool any() const { return latency_ms || memory_bytes; }
  // Whether the latency that is bounded is the one that tables show.
  bool of_typical() const { return latency_of == schema::LatencyStatistic::p50; }
};

// Those of the options, else of the run's plan.
Bounds bounds_of(const tables::RunView& view, const Options& options);

// The peak of it that the bound is on: of the processes on a CPU, else reserved on the device.
std::optional<int64_t> memory_of(const findings::ConfigRow& row);

// The longest that an iteration of the configuration may last, by what is bounded of it: the upper
// end of its interval, also of one of two visits, which is too wide to be printed; its time where
// it was measured once. Infinite where the visits cannot show that percentile.
double latest_ms(const findings::ConfigRow& row, const Bounds& bounds);

// Why the configuration does not keep the bounds; nothing when it does.
std::optional<findings::LeftOutReason> why_left_out(const findings::ConfigRow& row,
                                                    const Bounds& bounds);

// How far it is beyond the bounds: the largest of value / bound; at most 1 when it keeps them, and
// infinite when that is not known.
double excess(const findings::ConfigRow& row, const Bounds& bounds);

// "throughput with latency <= 200 ms and memory <= 8.00 GiB".
std::string objective(const Bounds& bounds);
// The bounds alone: "latency <= 200 ms", "latency (p95) <= 200 ms".
std::string describe(const Bounds& bounds);
// "p95 " where that is bounded; nothing of the typical latency.
std::string statistic_words(const Bounds& bounds);

}  // namespace batchscope::analyze
