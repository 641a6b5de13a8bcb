#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "batchscope/api/program.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/doctor/doctor.hpp"
#include "batchscope/measure/observer.hpp"
#include "batchscope/schema/run_file.hpp"
#include "batchscope/study/calibrate.hpp"

namespace batchscope::api {

// What works on this machine, what disturbs measurements, and how to get what is missing: whether
// models can be run, then the checks of doctor::doctor_checks.
std::vector<doctor::Check> doctor(const Program& program);

// What is measured against itself, and how often.
struct CalibrationOptions {
  std::string model = "distilbert";
  int64_t batch_size = 1;
  int64_t seq_len = 64;  // tokens; not of a law of the synthetic engine
  int blocks = schema::MeasurementPlan{}.blocks;
  int experiments = 100;  // in virtual time, for each excess
};

// Measures a model against itself (A/A), in worker processes where the program has a worker, then
// plants excesses in virtual time at the noise that was seen. `observer` may be null. Errors: those
// of loading and measuring the model, and of study::machine_noise; interrupted.
base::Result<study::Calibration> calibrate(const Program& program,
                                           const CalibrationOptions& options,
                                           measure::Observer* observer = nullptr);

}  // namespace batchscope::api
