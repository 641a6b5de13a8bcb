#include <fmt/format.h>

#include "batchscope/device/threads.hpp"
#include "batchscope/engine/model_store.hpp"
#include "batchscope/engine/texts.hpp"
#include "command.hpp"
#include "embed_texts.hpp"
#include "output.hpp"
#include "places.hpp"
#include "vector_file.hpp"

namespace batchscope::cli {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

struct EmbedFlags {
  std::string model, texts, engine = "torch", device = "cpu", precision = "fp32";
  int threads = 0, tokenizer_threads = 1;
  int64_t max_length = 0;
  std::size_t batch_size = 32;
  Output output;
};

void add_flags(CLI::App& app, EmbedFlags& flags) {
  app.add_option("-m,--model", flags.model, "of the models folder, such as all-minilm-l6-v2")
      ->required();
  app.add_option("--texts", flags.texts, "a file with a text a line, UTF-8")->required();
  app.add_option("-o,--output", flags.output.path,
                 "vectors.npy, or vectors.jsonl with the tokens (default: as JSON lines to "
                 "standard output)");
  app.add_flag("--overwrite", flags.output.overwrite, "replace the output if it exists");
  app.add_option("-b,--batch-size", flags.batch_size, "texts at a time (default 32)")
      ->check(CLI::PositiveNumber);
  app.add_option("--engine", flags.engine, "torch (default), openvino");
  app.add_option("--device", flags.device, "cpu (default), cuda:0, ...");
  app.add_option("--precision", flags.precision, "fp32 (default), bf16, fp16");
  app.add_option("--threads", flags.threads, "of the model (default: the physical cores allowed)")
      ->check(CLI::PositiveNumber);
  app.add_option("--tokenizer-threads", flags.tokenizer_threads, "of the tokenizer (default 1)")
      ->check(CLI::PositiveNumber);
  app.add_option("--max-length", flags.max_length,
                 "tokens that a text is cut at (default: the tokenizer's own)")
      ->check(CLI::PositiveNumber);
}

Result<engine::StoredModel> find_model(const EmbedFlags& flags) {
  auto stored = engine::find_stored_model(flags.model, own_places());
  if (!stored) return std::move(stored).error();
  if (*stored) return **std::move(stored);
  const std::string make = engine::how_to_make(flags.model);
  std::string known;
  for (const engine::StoredModel& model : engine::stored_models(own_places()))
    known += " " + model.name;
  return Error{ErrorKind::usage, fmt::format("model '{}' is not in the models folder", flags.model),
               "--model",
               make.empty() ? fmt::format("there is:{}", known.empty() ? " none" : known) : make};
}

Result<std::unique_ptr<engine::Model>> load_model(engine::Engine& engine,
                                                  const engine::StoredModel& stored,
                                                  const EmbedFlags& flags) {
  auto file = engine::file_for(stored, flags.engine, own_places());
  if (!file) return std::move(file).error();
  auto precision = schema::parse_precision(flags.precision);
  if (!precision) return std::move(precision).error();
  engine::ModelSpec spec{stored.name, file->string(), {}, 0};
  for (const std::string& text : stored.inputs) {
    auto input = engine::parse_input_spec(text);
    if (!input) return std::move(input).error();
    spec.inputs.push_back(*std::move(input));
  }
  engine::ExecutionSpec execution;
  execution.device = flags.device;
  execution.precision = *precision;
  execution.threads =
      flags.threads > 0 ? flags.threads : device::default_threads(base::SystemRoot()).threads;
  return engine.load(spec, execution);
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
  const auto stored = find_model(flags);
  if (!stored) return stored.error();
  const auto texts = engine::read_texts(flags.texts);
  if (!texts) return texts.error();
  const auto tokenizer = engine::load_tokenizer(
      {stored->tokenizer().string(), flags.tokenizer_threads, flags.max_length}, own_places());
  if (!tokenizer) return tokenizer.error();
  const auto engine = load_engine(flags.engine);
  if (!engine) return engine.error();
  const auto model = load_model(**engine, *stored, flags);
  if (!model) return model.error();
  const auto embedded = embed_texts(*stored, **tokenizer, **model, *texts, flags.batch_size);
  if (!embedded) return embedded.error();
  const bool npy = flags.output.path.extension() == ".npy";
  return write_output(flags.output, npy ? as_npy(*embedded) : as_json_lines(*embedded));
}

}  // namespace

int embed_verb(const std::vector<std::string>& arguments) {
  EmbedFlags flags;
  Command command("embed", "The vectors of texts, to be held against those of your own pipeline.");
  add_flags(command.app(), flags);
  int exit = kDone;
  if (!command.parse(arguments, exit)) return exit;
  const auto done = embed(flags);
  return done ? static_cast<int>(kDone) : fail(make_log(), done.error());
}

}  // namespace batchscope::cli
