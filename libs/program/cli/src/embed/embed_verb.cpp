#include "batchscope/api/embed.hpp"
#include "command.hpp"
#include "install_paths.hpp"
#include "output.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

struct EmbedFlags {
  std::string model, texts, engine, device = "cpu", precision = "fp32";
  int threads = 0, tokenizer_threads = 1;
  int64_t max_length = 0;
  std::size_t batch_size = 32;
  Output output;
};

void add_flags(CLI::App& app, EmbedFlags& flags) {
  app.add_option("-m,--model", flags.model,
                 "a model of the models folder, such as all-minilm-l6-v2")
      ->required();
  app.add_option("--texts", flags.texts, "a UTF-8 file with one text per line")->required();
  app.add_option(
      "-o,--output", flags.output.path,
      "vectors.npy, or vectors.jsonl with the tokens (default: JSON lines on standard output)");
  app.add_flag("--overwrite", flags.output.overwrite, "replace the output if it exists");
  app.add_option("-b,--batch-size", flags.batch_size,
                 "texts per batch, of like length (default 32)")
      ->check(CLI::PositiveNumber);
  app.add_option("--engine", flags.engine, "torch (default), openvino");
  app.add_option("--device", flags.device, "cpu (default), cuda:0, ...");
  app.add_option("--precision", flags.precision, "fp32 (default), bf16, fp16");
  app.add_option("--threads", flags.threads,
                 "threads of the model (default: the physical cores it may use)")
      ->check(CLI::PositiveNumber);
  app.add_option("--tokenizer-threads", flags.tokenizer_threads,
                 "threads of the tokenizer (default 1)")
      ->check(CLI::PositiveNumber);
  app.add_option("--max-length", flags.max_length,
                 "longest text in tokens; longer ones are cut (default: the tokenizer's own)")
      ->check(CLI::PositiveNumber);
}

Result<api::EmbedOptions> read_embed_options(const EmbedFlags& flags) {
  api::EmbedOptions options;
  options.model = flags.model;
  options.texts_file = flags.texts;
  options.engine = flags.engine;
  options.device = flags.device;
  const auto precision = schema::parse_precision(flags.precision);
  if (!precision) return precision.error();
  options.precision = *precision;
  if (flags.threads > 0) options.threads = flags.threads;
  options.tokenizer_threads = flags.tokenizer_threads;
  options.max_length = flags.max_length;
  options.batch_size = flags.batch_size;
  return options;
}

Result<void> check_output(const Output& output) {
  const std::string ending = output.path.extension().string();
  if (!output.path.empty() && ending != ".npy" && ending != ".jsonl") {
    return Error{ErrorKind::usage, "is neither .npy nor .jsonl", output.path.string(),
                 "use -o vectors.npy"};
  }
  return check_writable(output);
}

Result<void> embed(const EmbedFlags& flags) {
  if (auto can = check_output(flags.output); !can) return can;
  const auto options = read_embed_options(flags);
  if (!options) return options.error();
  const auto embedded = api::embed(this_program(), *options);
  if (!embedded) return embedded.error();
  const bool npy = flags.output.path.extension() == ".npy";
  return write_output(flags.output,
                      npy ? engines::as_npy(*embedded) : engines::as_json_lines(*embedded));
}

}  // namespace

int embed_verb(const std::vector<std::string>& arguments) {
  EmbedFlags flags;
  Command command("embed",
                  "Print the vectors of texts, to compare them with those of your own pipeline.");
  add_flags(command.app(), flags);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const auto done = embed(flags);
  return done ? static_cast<int>(kDone) : fail(make_log(), done.error());
}

}  // namespace batchscope::cli
