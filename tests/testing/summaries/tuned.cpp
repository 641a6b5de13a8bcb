#include "testing/summaries/tuned.hpp"

#include <string>

#include "testing/summaries/fixtures.hpp"

namespace batchscope::fixtures {
namespace {

findings::TunedPoint point(int64_t size, double rate, double latency_ms, int64_t mebibytes) {
  findings::TunedPoint made;
  made.config.engine = "torch";
  made.config.model = "distilbert";
  made.config.shape.batch_size = size;
  made.setting = "batch " + std::to_string(size) + ", fp32, cpu, 2 threads, torch";
  made.throughput_per_s = rate;
  made.time_ms = made.latency_ms = latency_ms;
  made.memory_bytes = mebibytes << 20;
  made.visits = 3;
  return made;
}

}  // namespace

findings::Summary tuned() {
  findings::Tuning tuning;
  tuning.run = "tune.jsonl";
  tuning.objective = findings::Objective::throughput;
  tuning.latency_of = findings::LatencyStatistic::p50;
  tuning.latency_budget_ms = 300;
  tuning.points = {point(8, 40, 200, 700), point(4, 32, 125, 500),   point(6, 30, 200, 600),
                   point(1, 20, 50, 400),  point(16, 44, 364, 1100), point(8, 60, 133, 650)};
  tuning.points[4].feasible = false;
  tuning.points[5].left_out = "engine b does not compute what torch does";
  tuning.points[5].setting = "batch 8, fp32, cpu, 2 threads, b";
  tuning.pick = 0;
  tuning.standard = 3;
  tuning.latency_front = {3, 1, 0, 4};
  tuning.memory_front = {3, 1, 0, 4};
  tuning.contrasts = {{tuning.points[3].config,
                       "the default",
                       {1.0, stats::Interval{0.9, 1.1}},
                       12,
                       {1.0, stats::Interval{0.9, 1.1}}},
                      {tuning.points[1].config,
                       "the runner-up",
                       {0.25, stats::Interval{0.2, 0.3}},
                       12,
                       {0.25, stats::Interval{0.2, 0.3}}}};
  tuning.latency = findings::LatencyCheck{findings::LatencyStatistic::p50,
                                          findings::LatencyStatistic::p50,
                                          201,
                                          stats::Interval{199, 203},
                                          60,
                                          6,
                                          true};
  tuning.verified = true;
  tuning.good_sizes = {4, 8};
  tuning.points_measured = 6;
  tuning.points_total = 24;
  tuning.visits = 58;
  tuning.message = "Use batch 8, fp32, cpu, 2 threads, torch: 40 samples/s at 200 ms a batch.";
  tuning.verdict = "Verified in 12 fresh visits.";
  tuning.advice = {"From 1 to 8 samples a step the rate changes."};
  tuning.warnings = {"12 points are not chosen from: engine b does not compute what torch does"};
  findings::Summary summary = one_group();
  summary.tunings = {tuning};
  return summary;
}

}  // namespace batchscope::fixtures
