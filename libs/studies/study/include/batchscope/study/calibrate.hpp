#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "batchscope/base/result.hpp"
#include "batchscope/findings/finding.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/schema/run_file.hpp"

namespace batchscope::study {

// A job that measures one configuration under two names, "MODEL (A)" and "MODEL (B)".
measure::Job against_itself(const measure::Job& job);

// The noise of a machine, from a run in which two names stand for the same configuration (A/A).
struct MachineNoise {
  int pairs = 0;
  double visit_sd = 0;     // of one visit's ln time: sd of the paired differences / sqrt 2
  double worst_visit = 0;  // largest |ln| distance of a visit from its configuration's median
  findings::Estimate difference;  // B / A, which is 1 in truth
};

// Errors: failed, with fewer than 6 pairs. The run has two configurations, each measured in every
// block.
base::Result<MachineNoise> machine_noise(const schema::RunFile& run);

// What was found when an excess was planted at one size of {1, 2, 3, 4, 6, 8} in virtual time, at a
// machine's noise.
struct Detection {
  double excess = 0;  // 0.10 = 10 % slower
  double found =
      0;  // share of the experiments in which it was proven, at that size and nowhere else
};

struct DetectionLimits {
  std::vector<Detection> curve;  // by excess
  std::optional<double>
      smallest;  // the smallest excess found in at least 90 %; absent: none of those tried
  double false_alarms = 0;  // share of experiments without an excess that proved anything
  int experiments = 0;      // per point
};

// What a machine can show: of its noise, by experiments with it.
struct Calibration {
  MachineNoise noise;
  DetectionLimits limits;
};

// Whole experiments (measure, then analyze) in virtual time, 12 blocks of `visit_sd` ln noise a
// visit.
base::Result<DetectionLimits> detection_limits(double visit_sd, int experiments, uint64_t seed);

}  // namespace batchscope::study
