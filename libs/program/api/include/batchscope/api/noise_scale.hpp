#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "batchscope/api/program.hpp"
#include "batchscope/base/result.hpp"
#include "batchscope/findings/tuning.hpp"
#include "batchscope/schema/run_config.hpp"
#include "batchscope/study/noise_scale.hpp"

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

// One way to train, beside the noise scale: what reaching the same loss takes.
struct NoiseRow {
  int64_t samples = 0;         // of a step
  std::string words;           // "batch 8 x 4"
  double step_ms = 0;          // 0: not measured
  double steps = 0, cost = 0;  // factors: of the fewest steps, of the fewest samples
  double time = 0;             // of training to the same loss, over that of the fastest; 0: unknown
};

struct NoiseReport {
  study::MeasuredNoise noise;
  // Of the steps that the run timed, by samples a step; without a run, of sizes around the scale.
  // Empty where the scale is not known.
  std::vector<NoiseRow> rows;
  std::string what;     // what was trained, and how, in words
  bool made_up = true;  // inputs without any meaning
  double level = 0.95;
};

// Trains for some steps in this process and tells from the noise of the gradients where larger
// batches stop helping. Errors: usage and input (of the model, its inputs and the run), and those
// of study::measure_noise; interrupted.
base::Result<NoiseReport> noise_scale(const Program& program, const NoiseOptions& options);

std::string noise_text(const NoiseReport& scale);
// docs/reference/schema/noise-scale.schema.json
std::string noise_json(const NoiseReport& scale);

// Of what a tuning run picked, in about as many steps as `seconds` hold; model, inputs and run are
// for the caller to say.
NoiseOptions noise_of_pick(const findings::TunedPoint& pick, double seconds);

}  // namespace batchscope::api
