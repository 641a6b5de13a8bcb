#include "batchscope/api/noise_scale.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/report/noise_scale.hpp"
#include "batchscope/study/axes.hpp"
#include "command.hpp"
#include "format.hpp"
#include "install_paths.hpp"
#include "output.hpp"
#include "shared_flags/loader_flags.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

struct NoiseFlags {
  std::string model, engine, device = "cpu", precision = "fp32", optimizer = "sgd";
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
                 "batches per step; together they are the larger batch (default 8)")
      ->check(CLI::Range(int64_t{2}, schema::kMostAccumulation));
  app.add_option("--steps", flags.steps, "steps of training (default 200)")
      ->check(CLI::Range(10, 1'000'000));
  app.add_option("--seq-len", flags.seq_len, "tokens (default: the model's own)")->check(sizes);
  app.add_option("--optimizer", flags.optimizer, "sgd (default), adamw");
  app.add_option("--precision", flags.precision, "fp32 (default), bf16");
  app.add_option("--device", flags.device, "cpu (default), cuda:0, ...");
  app.add_option("--threads", flags.threads, "default: the physical cores allowed")
      ->check(CLI::PositiveNumber);
  app.add_option("--input", flags.inputs, "an input of a model file, as for profile");
  app.add_option("--engine", flags.engine, "torch (default)");
  app.add_option("--seed", flags.seed, "seed of weights and samples (default 1)");
  add_loader(app, flags.loader);
  app.add_option("--run", flags.run,
                 "run file of profile --mode train: shows which of its steps trains fastest");
  app.add_option("--level", flags.level, "confidence level of the interval (default 95%)");
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
  return Error{ErrorKind::usage, "a confidence level must be between 50% and 99.99%", "--level",
               "use --level 95%"};
}

Result<api::NoiseOptions> read_noise_options(const NoiseFlags& flags) {
  api::NoiseOptions options;
  options.model = flags.model;
  options.inputs = flags.inputs;
  options.engine = flags.engine;
  options.device = flags.device;
  options.optimizer = flags.optimizer;
  options.batch_size = flags.batch_size;
  options.accumulation = flags.accumulation;
  if (flags.seq_len > 0) options.seq_len = flags.seq_len;
  options.steps = flags.steps;
  if (flags.threads > 0) options.threads = flags.threads;
  options.seed = flags.seed;
  options.run = flags.run;
  const auto precision = schema::parse_precision(flags.precision);
  if (!precision) return precision.error();
  options.precision = *precision;
  if (auto read = read_level(flags, options.level); !read) return read.error();
  study::Axes axes;
  axes.devices = {flags.device};
  if (auto read = read_loader(flags.loader, axes); !read) return read.error();
  if (!axes.loaders.empty()) options.loader = axes.loaders.front();
  return options;
}

Result<void> measure(const NoiseFlags& flags, const base::Log& log) {
  if (auto can = check_writable(flags.output); !can) return can;
  const auto options = read_noise_options(flags);
  if (!options) return options.error();
  Interrupt interrupt(log);
  const auto scale = api::noise_scale(telling(this_program(interrupt), log), *options);
  if (!scale) return scale.error();
  const bool json = flags.format == Format::json;
  return write_output(flags.output, json ? report::noise_json(*scale) : report::noise_text(*scale));
}

}  // namespace

int noise_scale_verb(const std::vector<std::string>& arguments) {
  NoiseFlags flags;
  Command command(
      "noise-scale",
      "Train for some steps and estimate from gradient noise where larger batches stop helping.");
  add_flags(command.app(), flags);
  command.usual({"--model", "--input", "--loader", "--batch-size", "--accumulation", "--steps",
                 "--run", "--format", "--output"});
  command.examples({"batchscope noise-scale -m model.pt --input x:Bx1024 -b 8 --accumulation 8",
                    "batchscope noise-scale -m model.pt --loader data/train --run steps.jsonl"});
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const base::Log log = make_log();
  const auto done = measure(flags, log);
  return done ? static_cast<int>(kDone) : fail(log, done.error());
}

}  // namespace batchscope::cli
