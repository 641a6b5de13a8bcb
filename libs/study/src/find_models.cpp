#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "batchscope/engine/synthetic.hpp"
#include "batchscope/study/axes.hpp"

namespace batchscope::study {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;
namespace fs = std::filesystem;

bool looks_like_a_file(std::string_view name) {
  const std::string extension = fs::path(name).extension().string();
  return name.find('/') != std::string_view::npos || extension == ".pt" || extension == ".pt2" ||
         extension == ".pth" || extension == ".onnx" || extension == ".xml" || extension == ".ts";
}

bool mentions_length(std::span<const engine::InputSpec> inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [](const engine::InputSpec& input) {
    return std::any_of(input.dimensions.begin(), input.dimensions.end(),
                       [](const engine::Dimension& dimension) { return dimension.symbol == "S"; });
  });
}

Result<SweepModel> model_from_file(engine::Engine& engine, const std::string& path,
                                   std::span<const engine::InputSpec> given) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) {
    return Error{ErrorKind::input, "no such model file", path,
                 "give the path of a .pt, .pt2, .onnx or .xml file"};
  }
  SweepModel model;
  model.spec.name = fs::path(path).stem().string();
  model.spec.path = path;
  model.spec.inputs.assign(given.begin(), given.end());
  auto inputs = engine.inputs_of(model.spec);
  if (!inputs) return std::move(inputs).error();
  model.spec.inputs = *std::move(inputs);
  model.has_seq_len = mentions_length(model.spec.inputs);
  if (model.has_seq_len) model.default_seq_len = 128;
  return model;
}

Result<SweepModel> built_in(const engine::Engine& engine, const std::string& name) {
  SweepModel model;
  model.spec.name = name;
  if (engine.name() == "synthetic") {
    // A law that cannot be read is the engine's to explain.
    const auto law = engine::parse_synthetic(name);
    model.has_seq_len = law && law->per_token;
    return model;
  }
  std::string known;
  for (const engine::ModelDescription& description : engine.models()) {
    if (description.name == name) {
      model.has_seq_len = description.has_seq_len;
      model.default_seq_len = description.default_seq_len;
      model.checkpointing = description.checkpointing;
      return model;
    }
    known += (known.empty() ? "" : ", ") + description.name;
  }
  return Error{ErrorKind::usage,
               fmt::format("'{}' is neither a built-in model nor a model file", name), "-m",
               fmt::format("built in: {}; or the path of a .pt, .pt2, .onnx or .xml file", known)};
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
                                            std::span<const engine::InputSpec> inputs,
                                            uint64_t seed) {
  std::vector<SweepModel> models;
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) == name) continue;
    return Error{ErrorKind::usage, fmt::format("'{}' is named twice", *name), "--model",
                 "doctor --calibrate measures a model against itself; a copy of a model file has a "
                 "name of its own"};
  }
  for (const std::string& name : names) {
    const bool file = engine.name() != "synthetic" && looks_like_a_file(name);
    auto model = file ? model_from_file(engine, name, inputs) : built_in(engine, name);
    if (!model) return std::move(model).error();
    model->spec.seed = seed;
    models.push_back(*std::move(model));
  }
  tell_apart(models);
  return models;
}

}  // namespace batchscope::study
