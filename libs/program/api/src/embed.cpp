#include "batchscope/api/embed.hpp"

#include <fmt/format.h>

#include <memory>

#include "batchscope/engine/model_store.hpp"
#include "batchscope/engine/texts.hpp"
#include "batchscope/host/threads.hpp"

namespace batchscope::api {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

Result<engine::StoredModel> find_model(const Program& program, const std::string& name) {
  auto stored = engine::find_stored_model(name, program.places);
  if (!stored) return std::move(stored).error();
  if (*stored) return **std::move(stored);
  const std::string make = engine::how_to_make(name);
  std::string known;
  for (const engine::StoredModel& model : engine::stored_models(program.places))
    known += " " + model.name;
  return Error{ErrorKind::usage, fmt::format("model '{}' is not in the models folder", name),
               "--model",
               make.empty() ? fmt::format("available:{}", known.empty() ? " none" : known) : make};
}

Result<std::vector<std::string>> texts_of(const EmbedOptions& options) {
  if (!options.texts.empty()) return options.texts;
  return engine::read_texts(options.texts_file.string());
}

Result<std::unique_ptr<engine::Model>> load_model(const Program& program, engine::Engine& engine,
                                                  const engine::StoredModel& stored,
                                                  const EmbedOptions& options) {
  auto file = engine::file_for(stored, std::string(engine.name()), program.places);
  if (!file) return std::move(file).error();
  engine::ModelSpec spec{stored.name, file->string(), {}, 0};
  for (const std::string& text : stored.inputs) {
    auto input = engine::parse_input_spec(text);
    if (!input) return std::move(input).error();
    spec.inputs.push_back(*std::move(input));
  }
  engine::ExecutionSpec execution;
  execution.device = options.device;
  execution.precision = options.precision;
  execution.threads = options.threads.value_or(host::default_threads(base::SystemRoot()).threads);
  return engine.load(spec, execution);
}

}  // namespace

Result<engines::Embedded> embed(const Program& program, const EmbedOptions& options) {
  const auto stored = find_model(program, options.model);
  if (!stored) return stored.error();
  const auto texts = texts_of(options);
  if (!texts) return texts.error();
  const auto tokenizer = engine::load_tokenizer(
      {stored->tokenizer().string(), options.tokenizer_threads, options.max_length},
      program.places);
  if (!tokenizer) return tokenizer.error();
  const auto engine = load_engine(program, options.engine);
  if (!engine) return engine.error();
  const auto model = load_model(program, **engine, *stored, options);
  if (!model) return model.error();
  return engines::embed_texts(*stored, **tokenizer, **model, *texts, options.batch_size);
}

}  // namespace batchscope::api
