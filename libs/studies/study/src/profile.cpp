#include "batchscope/study/profile.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <set>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/gpu/gpus.hpp"
#include "batchscope/host/machine.hpp"
#include "batchscope/measure/fitness_probe.hpp"
#include "batchscope/measure/in_process_executor.hpp"
#include "batchscope/measure/run_output.hpp"
#include "batchscope/measure/session.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "callable_engine.hpp"

namespace batchscope::study {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

Error misuse(std::string what, std::string where, std::string fix = "") {
  return {ErrorKind::usage, std::move(what), std::move(where), std::move(fix)};
}

Result<void> check_sizes(std::span<const int64_t> sizes) {
  if (sizes.empty()) return misuse("no batch size to measure", "batch_sizes", "give {1, 2, 4, 8}");
  std::set<int64_t> known;
  for (const int64_t size : sizes) {
    if (size < 1 || size > schema::kLargestSize) {
      return misuse(fmt::format("{} is not a batch size", size), "batch_sizes",
                    fmt::format("sizes are from 1 to {}", schema::kLargestSize));
    }
    if (!known.insert(size).second) {
      return misuse(fmt::format("{} appears twice", size), "batch_sizes");
    }
  }
  return {};
}

template <class T>
bool is_below(const std::optional<T>& value, T least) {
  return value && !(*value >= least);
}

Result<void> check_options(const ProfileOptions& options, std::span<const int64_t> sizes) {
  const auto positive = [](double value) { return value > 0; };  // false for NaN
  if (options.name.empty()) return misuse("the callable has no name", "name");
  if (options.device.empty()) return misuse("the device has no name", "device", "say \"cpu\"");
  if (options.threads < 1) return misuse("must be at least 1", "threads");
  if (is_below(options.blocks, 1)) return misuse("must be at least 1", "blocks");
  if (is_below(options.iterations, 1)) return misuse("must be at least 1", "iterations");
  if (is_below(options.warmup, 0)) return misuse("must be at least 0", "warmup");
  if (options.seq_len && (*options.seq_len < 1 || *options.seq_len > schema::kLargestSize)) {
    return misuse("must be at least 1", "seq_len");
  }
  if (!positive(options.target)) return misuse("must be above 0", "target", "0.02 is 2 %");
  if (!positive(options.min_visit_s)) return misuse("must be above 0", "min_visit_s");
  if (!positive(options.budget_s.value_or(1))) return misuse("must be above 0", "budget_s");
  if (!positive(options.latency_budget_s.value_or(1))) {
    return misuse("must be above 0", "latency_budget_s");
  }
  const auto& current = options.current_batch_size;
  if (current && std::find(sizes.begin(), sizes.end(), *current) == sizes.end()) {
    return misuse(fmt::format("{} is not among the sizes to measure", *current),
                  "current_batch_size", "add it to the batch sizes");
  }
  return {};
}

// Nothing when no file is wanted.
Result<std::optional<measure::RunOutput>> take_output(const ProfileOptions& options) {
  if (options.output.empty()) return std::optional<measure::RunOutput>();
  auto output = options.overwrite ? measure::RunOutput::open(options.output)
                                  : measure::RunOutput::create(options.output);
  if (output) return std::optional(*std::move(output));
  Error error = output.error();
  if (error.kind == ErrorKind::usage) error.fix = "name another, or set overwrite";
  return error;
}

schema::MeasurementPlan plan_of(const ProfileOptions& options) {
  schema::MeasurementPlan plan;
  plan.isolation = schema::Isolation::none;
  plan.blocks = options.blocks.value_or(plan.blocks);
  plan.blocks_fixed = options.blocks.has_value();
  plan.iterations = options.iterations;
  plan.warmup = options.warmup;
  plan.target = options.target;
  plan.min_visit_s = options.min_visit_s;
  if (options.iterations) plan.timed_over_startup = 0;
  plan.budget_s = options.budget_s.value_or(plan.budget_s);
  plan.budget_fixed = options.budget_s.has_value();
  plan.latency_budget_s = options.latency_budget_s;
  plan.current_batch_size = options.current_batch_size;
  return plan;
}

schema::Header header_of(const ProfileOptions& options, std::span<const int64_t> sizes,
                         const gpu::Gpus& gpus) {
  schema::Header header;
  header.origin = schema::Origin::api;
  header.tool_version = BATCHSCOPE_VERSION;
  header.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  header.machine = host::read_machine(base::SystemRoot(), gpus);
  schema::ModelInfo model;
  model.name = options.name;
  model.description = options.description.empty() ? "a function of the program that measured it"
                                                  : options.description;
  header.models = {model};
  header.axes = {{"batch_size", fmt::format("{}", fmt::join(sizes, ","))}};
  header.command_line = options.command_line;
  header.seed = options.seed ? *options.seed : std::random_device{}();
  header.plan = plan_of(options);
  return header;
}

measure::Job job_of(const ProfileOptions& options, std::span<const int64_t> sizes,
                    const gpu::Gpus& gpus) {
  measure::Job job;
  job.header = header_of(options, sizes, gpus);
  for (const int64_t size : sizes) {
    schema::RunConfig config;
    config.engine = schema::kEngineCallable;
    config.model = options.name;
    config.shape.batch_size = size;
    config.shape.seq_len = options.seq_len;
    config.precision = options.precision;
    config.device = options.device;
    config.threads = options.threads;
    job.configs.push_back(std::move(config));
  }
  job.models[options.name].name = options.name;
  return job;
}

Error nothing_measured(const schema::RunFile& run) {
  const std::string what = "no batch size succeeded";
  if (run.events.empty()) return {ErrorKind::failed, what};
  const schema::Event& first = run.events.front();
  return {ErrorKind::failed, what + "; the first failed: " + first.what, "", first.fix};
}

}  // namespace

Result<Profiled> profile(const Iteration& iteration, std::span<const int64_t> batch_sizes,
                         const ProfileOptions& options) {
  if (!iteration) return misuse("no function to measure", "iteration");
  if (auto fit = check_sizes(batch_sizes); !fit) return fit.error();
  if (auto fit = check_options(options, batch_sizes); !fit) return fit.error();
  auto output = take_output(options);
  if (!output) return std::move(output).error();
  auto sink = *output ? (*output)->sink(0) : measure::make_null_sink();
  if (!sink) return std::move(sink).error();

  const Callable callable{options.name, options.device, options.prepare, iteration,
                          options.device_clock};
  const auto gpus = gpu::open_gpus();
  const auto fitness = measure::make_system_fitness_probe(base::SystemRoot(), gpus.get());
  const auto executor = measure::make_in_process_executor(
      [&](std::string_view) { return make_callable_engine(callable); }, measure::ModelReuse::keep,
      fitness.get());
  measure::Session session(job_of(options, batch_sizes, *gpus),
                           {*executor, **sink, options.observer, options.stop});
  auto ended = measure::run(session);
  if (*output) (*output)->keep(session.recorded());
  if (!ended) return std::move(ended).error();

  Profiled profiled{session.recorded(), {}};
  const bool stopped =
      profiled.run.end && profiled.run.end->reason == schema::EndReason::interrupted;
  if (profiled.run.visits.empty() && !stopped) return nothing_measured(profiled.run);
  analyze::Options as;
  as.names = {options.output.empty() ? options.name : options.output.string()};
  profiled.summary = analyze::analyze(std::span(&profiled.run, 1), as);
  return profiled;
}

}  // namespace batchscope::study
