#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/findings/summary.hpp"
#include "batchscope/findings/version_comparison.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/study/study.hpp"

namespace batchscope::truth {

// A whole experiment in virtual time: what the synthetic engine is, and what is measured of it.
struct Experiment {
  std::vector<std::string> models;  // specs of the synthetic engine; several are interleaved
  std::vector<int64_t> sizes;
  int blocks = 12;
  uint64_t seed = 1;
  std::vector<int> instances{1};
  std::optional<double> latency_budget_s = std::nullopt;
  // That a visit is timed for, and at least 5 iterations; absent: just these.
  std::optional<double> visit_s = std::nullopt;
};

// The noise that the goals are stated for: 1.5 % a visit, 1 % a process, 2 % of visits hit by a
// spike of 30 %. To be put behind a law: "affine:5ms,2ms" + kUsualNoise.
inline constexpr const char* kUsualNoise = ";process_sd=0.01;visit_sd=0.015;spike=0.02:1.3";
// The same with neighbours that stay for some visits and a machine that slows down.
inline constexpr const char* kRoughNoise =
    ";process_sd=0.01;visit_sd=0.015;spike=0.02:1.3;burst=0.02:1.2:5;drift=2";

// A busy machine: one visit in ten takes four times as long.
inline constexpr const char* kBusyNoise = ";process_sd=0.01;visit_sd=0.015;spike=0.1:4";
// Visit noise 3 %, process 2 %.
inline constexpr const char* kLoudNoise = ";process_sd=0.02;visit_sd=0.03;spike=0.02:1.3";

// A still machine: 0.4 % a visit, 0.3 % a process, 0.2 % an iteration, so that only what is planted
// misleads.
inline constexpr const char* kStillNoise = ";process_sd=0.003;visit_sd=0.004;iteration_sd=0.002";

// Measures (fresh process a visit, random order, warm-up by evidence) and analyses: the path a real
// run takes, but for the clock. Aborts when the measuring itself fails, which is not a result.
schema::RunFile measure(const Experiment& experiment, const study::FollowUps& follow_ups = {});
findings::Summary analyse(const Experiment& experiment);
// The first model as the old version against the second as the new one, as `compare` tells it.
findings::VersionComparison compare_versions(const Experiment& experiment, double margin);
// The experiment measured twice, in two runs of different seeds that are then compared.
findings::Summary analyse_two_runs(const Experiment& experiment);

}  // namespace batchscope::truth
