#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/nearest.hpp"
#include "batchscope/base/strings.hpp"
#include "batchscope/engine/description.hpp"
#include "batchscope/engine/input_text.hpp"
#include "batchscope/engine/model_store.hpp"
#include "batchscope/engines/model_names.hpp"
#include "batchscope/study/axes.hpp"

namespace batchscope::study {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
namespace fs = std::filesystem;

constexpr int64_t kDefaultLength = 128;  // tokens

bool is_file_like(const engine::Engine& engine, std::string_view name,
                  const engine::InstallPaths& places) {
  if (name.find('/') != std::string_view::npos) return true;
  const std::string extension = fs::path(name).extension().string();
  const auto of_file = [&](const engine::EngineDescription& described) {
    return base::contains(described.endings, extension);
  };
  return of_file(engine::describe(engine, places)) || of_file(engine::engine_for(name));
}

bool has_length(const engine::InputSpec& input) {
  return std::any_of(
      input.dimensions.begin(), input.dimensions.end(),
      [](const engine::Dimension& each) { return each.symbol == engine::Symbol::length; });
}

bool mentions_length(std::span<const engine::InputSpec> inputs) {
  return std::any_of(inputs.begin(), inputs.end(), has_length);
}

// An engine, and who is asked for inputs that nobody typed.
struct Asked {
  engine::Engine& engine;
  const InputsOf& inputs_of;

  Result<std::vector<engine::InputSpec>> inputs(const engine::ModelSpec& spec) const {
    const bool unreported = spec.inputs.empty() && inputs_of;
    return unreported ? inputs_of(engine, spec) : engine.inputs_of(spec);
  }
};

// `texts` are what is known of the inputs; what an engine can tell of a file need not be said.
Result<void> take_inputs(const Asked& asked, SweepModel& model,
                         std::span<const std::string> texts) {
  auto given = engine::parse_input_specs(texts);
  if (!given) return std::move(given).error();
  model.spec.inputs = *std::move(given);
  auto inputs = asked.inputs(model.spec);
  if (!inputs) return std::move(inputs).error();
  model.spec.inputs = *std::move(inputs);
  model.inputs.assign(texts.begin(), texts.end());
  if (texts.empty()) model.inputs = engine::to_texts(model.spec.inputs);
  model.has_seq_len = mentions_length(model.spec.inputs);
  if (model.has_seq_len) model.default_seq_len = kDefaultLength;
  return {};
}

Result<SweepModel> model_from_file(const Asked& asked, const std::string& path,
                                   std::span<const std::string> inputs) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) {
    return Error{ErrorKind::input, "no such model file", path,
                 fmt::format("give the path of a {} file", engine::known_endings())};
  }
  SweepModel model;
  model.spec.name = fs::path(path).stem().string();
  model.spec.path = path;
  if (auto taken = take_inputs(asked, model, inputs); !taken) return taken.error();
  return model;
}

Result<SweepModel> model_from_store(const Asked& asked, const engine::StoredModel& stored,
                                    const engine::InstallPaths& places) {
  auto file = engine::file_for(stored, asked.engine.name(), places);
  if (!file) return std::move(file).error();
  SweepModel model;
  model.spec.name = stored.name;
  model.spec.path = file->string();
  if (auto taken = take_inputs(asked, model, stored.inputs); !taken) return taken.error();
  if (model.has_seq_len) model.default_seq_len = std::min(kDefaultLength, stored.max_positions);
  model.tokenizer = stored.tokenizer().string();
  if (!stored.pooling.empty()) model.pooling = stored.pooling;
  model.normalize = stored.normalize;
  model.max_length = stored.max_length;
  model.max_positions = stored.max_positions;
  return model;
}

Error unknown_model(const std::string& name, std::vector<std::string> known,
                    const engine::InstallPaths& places) {
  const std::string make = engine::how_to_make(name);
  if (!make.empty()) {
    return {ErrorKind::usage, fmt::format("model '{}' does not exist yet", name), "-m", make};
  }
  for (const engine::StoredModel& model : engine::stored_models(places))
    known.push_back(model.name);
  const std::string others = known.empty() ? "this engine has no built-in models; "
                                           : base::did_you_mean(name, known) + "choose one of " +
                                                 base::join(known, ", ") + ", or ";
  return {ErrorKind::usage, fmt::format("'{}' is neither a built-in model nor a model file", name),
          "-m", fmt::format("{}name a {} file", others, engine::known_endings())};
}

Result<SweepModel> built_in(const engine::Engine& engine, const std::string& name,
                            const engine::InstallPaths& places) {
  if (const auto found = engine.find_model(name)) {
    SweepModel model;
    model.spec.name = name;
    model.has_seq_len = found->has_seq_len;
    model.default_seq_len = found->default_seq_len;
    model.checkpointing = found->checkpointing;
    return model;
  }
  std::vector<std::string> known;
  for (const engine::ModelDescription& model : engine.models()) known.push_back(model.name);
  return unknown_model(name, std::move(known), places);
}

// What was typed is named in the interpreter, whatever it looks like.
Result<SweepModel> interpreted(const Asked& asked, const std::string& name,
                               std::span<const std::string> inputs) {
  SweepModel model;
  model.interpreted = true;
  model.spec.name = engines::name_of(name);
  model.spec.path = name;
  auto given = engine::parse_input_specs(inputs);
  if (!given) return std::move(given).error();
  model.spec.inputs = *std::move(given);
  const auto described = asked.engine.describe_model(model.spec);
  if (!described) return described.error();
  auto reported = asked.engine.inputs_of(model.spec);
  if (!reported) return std::move(reported).error();
  model.spec.inputs = *std::move(reported);
  model.inputs = engine::to_texts(model.spec.inputs);
  if (*described) {
    model.has_seq_len = (*described)->has_seq_len;
    model.default_seq_len = (*described)->default_seq_len;
  }
  return model;
}

Result<SweepModel> find_model(const Asked& asked, const std::string& name,
                              std::span<const std::string> inputs,
                              const engine::InstallPaths& places) {
  engine::Engine& engine = asked.engine;
  const engine::EngineDescription described = engine::describe(engine, places);
  if (described.interpreted) return interpreted(asked, name, inputs);
  if (described.virtual_time) return built_in(engine, name, places);
  if (is_file_like(engine, name, places)) return model_from_file(asked, name, inputs);
  auto stored = engine::find_stored_model(name, places);
  if (!stored) return std::move(stored).error();
  return *stored ? model_from_store(asked, **stored, places) : built_in(engine, name, places);
}

// a/model.pt and b/model.pt would both be "model" in every table.
void tell_apart(std::vector<SweepModel>& models) {
  std::map<std::string, int> uses;
  for (const SweepModel& model : models) ++uses[model.spec.name];
  for (SweepModel& model : models) {
    if (uses[model.spec.name] > 1 && !model.spec.path.empty()) model.spec.name = model.spec.path;
  }
}

}  // namespace

Result<std::vector<SweepModel>> find_models(engine::Engine& engine,
                                            std::span<const std::string> names,
                                            std::span<const std::string> inputs, uint64_t seed,
                                            const engine::InstallPaths& places,
                                            const InputsOf& inputs_of) {
  std::vector<SweepModel> models;
  if (auto readable = engine::parse_input_specs(inputs); !readable)
    return std::move(readable).error();
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) == name) continue;
    return Error{ErrorKind::usage, fmt::format("'{}' appears twice", *name), "--model",
                 "doctor --calibrate measures a model against itself. Or copy the model file under "
                 "another name"};
  }
  for (const std::string& name : names) {
    auto model = find_model({engine, inputs_of}, name, inputs, places);
    if (!model) return std::move(model).error();
    model->spec.seed = seed;
    models.push_back(*std::move(model));
  }
  tell_apart(models);
  return models;
}

}  // namespace batchscope::study
