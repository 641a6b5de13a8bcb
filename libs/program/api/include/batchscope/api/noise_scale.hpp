#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/api/program.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/findings/tuning.hpp"
#include "batchscope/schema/run_config.hpp"
#include "batchscope/study/noise_report.hpp"

namespace batchscope::api {

// A training that is watched for the noise of its gradients.
struct NoiseOptions {
  std::string model{};
  std::vector<std::string> inputs{};  // of a model file: name, shape and type
  std::string engine{};               // empty: the preferred one, see engine::own_engines
  std::string device = "cpu";
  schema::Precision precision = schema::Precision::fp32;
  std::string optimizer = "sgd";
  int64_t batch_size = 8;            // the smaller of the two that it is told from
  int64_t accumulation = 8;          // batches of a step, which make the larger one; at least 2
  std::optional<int64_t> seq_len{};  // tokens; absent: the model's own
  int steps = 200;
  std::optional<int> threads{};  // absent: the physical cores allowed
  uint64_t seed = 1;             // of weights and samples
  std::optional<schema::Loader> loader{};
  double level = 0.95;  // of the interval, from 0.5 to 0.9999
  std::string run{};    // of a training: which of its steps trains fastest; empty: none
};

// Trains for some steps in this process and tells from the noise of the gradients where larger
// batches stop helping. Errors: usage and input (of the model, its inputs and the run), and those
// of study::measure_noise; interrupted.
base::Result<study::NoiseReport> noise_scale(const Program& program, const NoiseOptions& options);

// Of what a tuning run picked, in about as many steps as `seconds` hold; model, inputs and run are
// for the caller to say.
NoiseOptions noise_of_pick(const findings::TunedPoint& pick, double seconds);

}  // namespace batchscope::api
