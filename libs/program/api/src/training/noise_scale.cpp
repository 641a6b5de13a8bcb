#include "batchscope/api/noise_scale.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/api/recorded.hpp"
#include "batchscope/host/threads.hpp"
#include "batchscope/study/axes.hpp"
#include "measuring/executors.hpp"

namespace batchscope::api {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// The smaller of the two batches that the scale is told from; larger ones tell less of it.
constexpr int64_t kSmallBatch = 8;
constexpr int kBatchesAStep = 8;
// Fewer tell nothing of the scale; more than the usual number are not needed.
constexpr int kFewestSteps = 20, kMostSteps = 200;

Result<study::NoiseRequest> noise_request(const Program& program, const NoiseOptions& options,
                                          engine::Engine& engine) {
  study::NoiseRequest request;
  const std::vector<std::string> names{options.model};
  auto models = study::find_models(engine, names, options.inputs, options.seed, program.places,
                                   inputs_finder(program));
  if (!models) return std::move(models).error();
  const study::SweepModel& model = models->front();
  request.model = model.spec;
  request.shape.batch_size = options.batch_size;
  request.shape.seq_len = options.seq_len ? options.seq_len : model.default_seq_len;
  request.execution.precision = options.precision;
  request.execution.mode = schema::Mode::train;
  request.execution.optimizer = options.optimizer;
  request.execution.device = options.device;
  request.execution.accumulation = options.accumulation;
  request.execution.threads =
      options.threads.value_or(host::default_threads(base::SystemRoot()).threads);
  request.execution.loader = options.loader;
  request.steps = options.steps;
  request.level = options.level;
  request.stop = [stop = program.stop] { return stop.stop_requested(); };
  return request;
}

// The steps that a run timed of this model; of several settings the first of each size counts.
Result<std::vector<findings::ConfigRow>> timed_steps(const NoiseOptions& options,
                                                     const std::string& model) {
  std::vector<findings::ConfigRow> rows;
  if (options.run.empty()) return rows;
  const auto runs = read_runs({options.run});
  if (!runs) return runs.error();
  for (const findings::Group& group : analyze::analyze(*runs).groups) {
    if (group.key.mode != schema::Mode::train || group.key.model != model) continue;
    if (group.key.precision != options.precision) continue;
    rows.insert(rows.end(), group.rows.begin(), group.rows.end());
  }
  if (!rows.empty()) return rows;
  return Error{
      ErrorKind::input,
      fmt::format("holds no training of {} in {}", model, schema::to_string(options.precision)),
      options.run, "profile it with --mode train"};
}

int steps_within(double seconds, const findings::TunedPoint& pick) {
  const double step_s = kBatchesAStep * pick.mean_ms / 1e3;
  return static_cast<int>(std::clamp(seconds / step_s, double{kFewestSteps}, double{kMostSteps}));
}

}  // namespace

Result<study::NoiseReport> noise_scale(const Program& program, const NoiseOptions& options) {
  if (program.before_measuring) program.before_measuring();
  const auto engine = load_to_inspect(program, {}, options.engine);
  if (!engine) return engine.error();
  auto request = noise_request(program, options, **engine);
  if (!request) return std::move(request).error();
  const auto timed = timed_steps(options, request->model.name);
  if (!timed) return timed.error();
  auto noise = study::measure_noise(**engine, *request);
  if (!noise) return std::move(noise).error();
  study::NoiseReport reported{
      *std::move(noise), {}, {}, !options.loader.has_value(), options.level};
  reported.rows = study::noise_rows(reported.noise, *timed);
  reported.what =
      fmt::format("{}, {}, {}, training with {}", request->model.name,
                  schema::to_string(options.precision), options.device, options.optimizer);
  if (options.loader) {
    reported.what += ", " + schema::source_in_words(*options.loader);
    reported.made_up = options.loader->source.starts_with("synthetic:");
  }
  return reported;
}

NoiseOptions noise_of_pick(const findings::TunedPoint& point, double seconds) {
  const schema::RunConfig& pick = point.config;
  NoiseOptions options;
  options.model = pick.model;
  options.batch_size = std::min(pick.shape.batch_size, kSmallBatch);
  options.accumulation = kBatchesAStep;
  options.steps = steps_within(seconds, point);
  options.optimizer = pick.optimizer;
  options.precision = pick.precision;
  options.device = pick.device;
  options.threads = pick.threads;
  options.engine = pick.engine;
  options.seq_len = pick.shape.seq_len;
  options.loader = pick.loader;
  return options;
}

}  // namespace batchscope::api
