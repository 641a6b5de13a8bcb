#include <fmt/format.h>

#include "batchscope/analyze/analyze.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/device/threads.hpp"
#include "batchscope/study/axes.hpp"
#include "command.hpp"
#include "format.hpp"
#include "interrupt.hpp"
#include "measuring/loader_flags.hpp"
#include "noise_scale_results.hpp"
#include "output.hpp"
#include "places.hpp"
#include "recorded/read_runs.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

struct NoiseFlags {
  std::string model, engine = "torch", device = "cpu", precision = "fp32", optimizer = "sgd";
  std::vector<std::string> inputs;
  int64_t batch_size = 8, accumulation = 8, seq_len = 0;
  int steps = 200, threads = 0;
  uint64_t seed = 1;
  LoaderFlags loader;
  std::string run, level = "95%";
  Format format = Format::text;
  Output output;
};

void add_flags(CLI::App& app, NoiseFlags& flags) {
  const auto sizes = CLI::Range(int64_t{1}, schema::kLargestSize);
  app.add_option("-m,--model", flags.model, "built-in model, or a .pt file")->required();
  app.add_option("-b,--batch-size", flags.batch_size, "the smaller batch (default 8)")
      ->check(sizes);
  app.add_option("--accumulation", flags.accumulation,
                 "batches of a step, which make the larger one (default 8)")
      ->check(CLI::Range(int64_t{2}, schema::kMostAccumulation));
  app.add_option("--steps", flags.steps, "of training (default 200)")
      ->check(CLI::Range(10, 1'000'000));
  app.add_option("--seq-len", flags.seq_len, "tokens (default: the model's own)")->check(sizes);
  app.add_option("--optimizer", flags.optimizer, "sgd (default), adamw");
  app.add_option("--precision", flags.precision, "fp32 (default), bf16");
  app.add_option("--device", flags.device, "cpu (default), cuda:0, ...");
  app.add_option("--threads", flags.threads, "default: the physical cores allowed")
      ->check(CLI::PositiveNumber);
  app.add_option("--input", flags.inputs, "an input of a model file, as in profile");
  app.add_option("--engine", flags.engine, "torch (default)");
  app.add_option("--seed", flags.seed, "of weights and samples (default 1)");
  add_loader(app, flags.loader);
  app.add_option("--run", flags.run,
                 "a run file of profile --mode train: which of its steps trains fastest");
  app.add_option("--level", flags.level, "of the interval (default 95%)");
  add_format(app, flags.format, {Format::text, Format::json}, "text, json");
  app.add_option("-o,--output", flags.output.path, "default: standard output");
  app.add_flag("--overwrite", flags.output.overwrite, "replace the output if it exists");
}

Result<void> read_level(const NoiseFlags& flags, double& level) {
  const auto typed = base::parse_ratio(flags.level);
  if (typed && *typed >= 0.5 && *typed <= 0.9999) {
    level = *typed;
    return {};
  }
  return Error{ErrorKind::usage, "a confidence level lies between 50% and 99.99%", "--level",
               "use --level 95%"};
}

Result<study::NoiseRequest> request_of(const NoiseFlags& flags, engine::Engine& engine) {
  study::NoiseRequest request;
  const std::vector<std::string> names{flags.model};
  auto models = study::find_models(engine, names, flags.inputs, flags.seed, own_places());
  if (!models) return std::move(models).error();
  const study::SweepModel& model = models->front();
  request.model = model.spec;
  request.shape.batch_size = flags.batch_size;
  request.shape.seq_len = model.default_seq_len;
  if (flags.seq_len > 0) request.shape.seq_len = flags.seq_len;
  const auto precision = schema::parse_precision(flags.precision);
  if (!precision) return precision.error();
  request.execution.precision = *precision;
  request.execution.mode = schema::Mode::train;
  request.execution.optimizer = flags.optimizer;
  request.execution.device = flags.device;
  request.execution.accumulation = flags.accumulation;
  request.execution.threads =
      flags.threads > 0 ? flags.threads : device::default_threads(base::SystemRoot()).threads;
  request.steps = flags.steps;
  if (auto read = read_level(flags, request.level); !read) return std::move(read).error();
  study::Axes axes;
  axes.devices = {flags.device};
  if (auto read = read_loader(flags.loader, axes); !read) return std::move(read).error();
  if (!axes.loaders.empty()) request.execution.loader = axes.loaders.front();
  return request;
}

// The steps that a run timed of this model; of several settings the first of each size counts.
Result<std::vector<findings::ConfigRow>> timed_steps(const NoiseFlags& flags,
                                                     const std::string& model) {
  std::vector<findings::ConfigRow> rows;
  if (flags.run.empty()) return rows;
  const auto runs = read_runs({flags.run});
  if (!runs) return runs.error();
  for (const findings::Group& group : analyze::analyze(*runs).groups) {
    if (group.key.mode != schema::Mode::train || group.key.model != model) continue;
    if (schema::to_string(group.key.precision) != flags.precision) continue;
    rows.insert(rows.end(), group.rows.begin(), group.rows.end());
  }
  if (!rows.empty()) return rows;
  return Error{ErrorKind::input,
               fmt::format("holds no training of {} in {}", model, flags.precision), flags.run,
               "profile it with --mode train"};
}

Result<void> measure(const NoiseFlags& flags) {
  const Interrupt interrupt;
  if (auto can = check_writable(flags.output); !can) return can;
  const auto engine = load_engine(flags.engine);
  if (!engine) return engine.error();
  auto request = request_of(flags, **engine);
  if (!request) return std::move(request).error();
  const auto timed = timed_steps(flags, request->model.name);
  if (!timed) return timed.error();
  request->stop = [&] { return interrupt.token().stop_requested(); };
  const auto noise = study::measure_noise(**engine, *request);
  if (!noise) return noise.error();
  NoiseSubject subject;
  subject.made_up = !request->execution.loader.has_value();
  subject.level = request->level;
  subject.what = fmt::format("{}, {}, {}, training with {}", request->model.name, flags.precision,
                             flags.device, flags.optimizer);
  if (request->execution.loader) {
    subject.what += ", " + schema::source_in_words(*request->execution.loader);
    subject.made_up = request->execution.loader->source.starts_with("synthetic:");
  }
  const auto render = flags.format == Format::json ? noise_json : noise_text;
  return write_output(flags.output, render(*noise, noise_rows(*noise, *timed), subject));
}

}  // namespace

int noise_scale_verb(const std::vector<std::string>& arguments) {
  NoiseFlags flags;
  Command command("noise-scale",
                  "Train for some steps and tell from the noise of the gradients where larger "
                  "batches stop helping.");
  add_flags(command.app(), flags);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const auto done = measure(flags);
  return done ? static_cast<int>(kDone) : fail(make_log(), done.error());
}

}  // namespace batchscope::cli
