#include "batchscope/study/job.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace batchscope::study {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

Result<void> check_devices(const engine::Engine& engine, const std::vector<std::string>& devices) {
  const std::vector<std::string> there = engine.devices();
  for (const std::string& device : devices) {
    if (std::find(there.begin(), there.end(), device) != there.end()) continue;
    return Error{ErrorKind::usage, fmt::format("no device '{}' here", device), "--device",
                 fmt::format("engine {} sees: {}", engine.name(), fmt::join(there, ", "))};
  }
  return {};
}

Result<void> check_checkpointing(const engine::Engine& engine, const Axes& axes,
                                 const std::vector<SweepModel>& models) {
  const auto has = [](const auto& values, auto value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  };
  if (!has(axes.checkpointing, true)) return {};
  if (!has(axes.modes, schema::Mode::train)) {
    return Error{ErrorKind::usage, "only training keeps activations that could be computed again",
                 "--checkpointing", "add --mode train"};
  }
  std::vector<std::string> known;
  for (const engine::ModelDescription& model : engine.models()) {
    if (model.checkpointing) known.push_back(model.name);
  }
  for (const SweepModel& model : models) {
    if (model.checkpointing) continue;
    return Error{ErrorKind::usage,
                 fmt::format("'{}' is no built-in transformer: its layers cannot be computed again",
                             model.spec.name),
                 "--checkpointing",
                 known.empty() ? fmt::format("engine {} has no such model", engine.name())
                               : fmt::format("it is for {}", fmt::join(known, ", "))};
  }
  return {};
}

Result<void> check_current_size(const ProfileRequest& request) {
  const auto& sizes = request.axes.batch_sizes;
  const auto& current = request.plan.current_batch_size;
  if (!current || std::find(sizes.begin(), sizes.end(), *current) != sizes.end()) return {};
  return Error{ErrorKind::usage, fmt::format("batch size {} is not going to be measured", *current),
               "--current-batch-size", fmt::format("add {} to --batch-sizes", *current)};
}

Result<std::vector<engine::InputSpec>> parse_inputs(const std::vector<std::string>& texts) {
  std::vector<engine::InputSpec> inputs;
  for (const std::string& text : texts) {
    auto input = engine::parse_input_spec(text);
    if (!input) return std::move(input).error();
    inputs.push_back(*std::move(input));
  }
  return inputs;
}

Result<void> check_pipelines(const Axes& axes, const std::vector<SweepModel>& models) {
  for (const schema::TextPipeline& pipeline : axes.pipelines) {
    for (const SweepModel& model : models) {
      if (!pipeline.tokenizer.empty() || !model.tokenizer.empty()) continue;
      return Error{
          ErrorKind::usage,
          fmt::format("nothing is known to turn texts into tokens of {}", model.spec.name),
          "--pipeline",
          "add --tokenizer tokenizer.xml (tools/models/convert_tokenizer.py converts one of "
          "Hugging Face), or measure a model of ./dev models"};
    }
  }
  return {};
}

// A model file that is not told what is padding computes it as if it were real, which not every
// user of it would.
void note_unmasked(const SweepModel& model, const Axes& axes, schema::Header& header) {
  const auto& inputs = model.spec.inputs;
  const bool masked = std::any_of(inputs.begin(), inputs.end(), engine::is_mask);
  if (axes.length_mixes.empty() || inputs.empty() || !model.has_seq_len || masked) return;
  header.notes.push_back(fmt::format(
      "model {} has no input whose name contains \"mask\": it computes padding as if it "
      "were real tokens",
      model.spec.name));
}

Result<void> check_same_lengths(const schema::RunFile& recorded, const ProfileRequest& request) {
  for (const LengthMix& mix : request.axes.length_mixes) {
    const auto found = std::find_if(
        recorded.configs.begin(), recorded.configs.end(),
        [&](const schema::RunConfig& config) { return config.shape.length_mix == mix.text; });
    if (found == recorded.configs.end()) continue;
    const schema::Shape& shape = found->shape;
    if (shape.lengths == cycle_lengths(mix, shape.batch_size, recorded.header.seed)) continue;
    return Error{ErrorKind::usage, "the lengths are others than when the run was begun", mix.text,
                 "leave --seq-lens out to go on with those of the run file, or write to another"};
  }
  return {};
}

Result<void> check_same_axes(const schema::RunFile& recorded, const ProfileRequest& request) {
  for (const auto& [axis, typed] : request.axes_as_typed) {
    const auto found = recorded.header.axes.find(axis);
    const std::string was = found == recorded.header.axes.end() ? "the default" : found->second;
    if (was == typed) continue;
    return Error{ErrorKind::usage,
                 fmt::format("{} was asked for, but the run file was made with {}", typed, was),
                 axis, "leave the axes out when resuming, or write to another file"};
  }
  return {};
}

}  // namespace

Result<measure::Job> make_job(engine::Engine& engine, const schema::Machine& machine,
                              const ProfileRequest& request) {
  if (auto known = check_devices(engine, request.axes.devices); !known) return known.error();
  if (auto measured = check_current_size(request); !measured) return measured.error();
  auto models = find_models(engine, request.models, request.inputs, request.seed);
  if (!models) return std::move(models).error();
  if (auto can = check_checkpointing(engine, request.axes, *models); !can) return can.error();
  if (auto can = check_pipelines(request.axes, *models); !can) return can.error();
  auto configs = expand(request.axes, engine.name(), *models);
  if (!configs) return std::move(configs).error();

  std::vector<std::string> notes;
  // The processor of a synthetic law is as large as it has to be.
  if (engine.name() != "synthetic") {
    auto left_out = leave_out_overcommitted(*configs, request.axes.cores);
    if (!left_out) return std::move(left_out).error();
    notes = *std::move(left_out);
  }

  measure::Job job;
  job.header.notes = std::move(notes);
  job.configs = *std::move(configs);
  job.header.tool_version = request.tool_version;
  job.header.created = request.created;
  job.header.machine = machine;
  job.header.versions = engine.versions();
  job.header.axes = request.axes_as_typed;
  job.header.command_line = request.command_line;
  job.header.seed = request.seed;
  job.header.plan = request.plan;
  for (const SweepModel& model : *models) {
    auto info = engine.inspect(model.spec);
    if (!info) return std::move(info).error();
    info->inputs = model.inputs;
    job.header.models.push_back(*std::move(info));
    note_unmasked(model, request.axes, job.header);
    job.models[model.spec.name] = model.spec;
  }
  return job;
}

Result<measure::Present> inspect_again(engine::Engine& engine, const schema::Machine& machine,
                                       const schema::RunFile& recorded,
                                       const ProfileRequest& request) {
  if (auto same = check_same_axes(recorded, request); !same) return same.error();
  if (auto same = check_same_lengths(recorded, request); !same) return same.error();
  measure::Present present;
  present.machine = machine;
  for (const schema::ModelInfo& model : recorded.header.models) {
    auto inputs = parse_inputs(model.inputs);
    if (!inputs) return std::move(inputs).error();
    const engine::ModelSpec spec{model.name, model.path, *std::move(inputs), recorded.header.seed};
    auto info = engine.inspect(spec);
    if (!info) return std::move(info).error();
    present.models.push_back(*std::move(info));
    present.specs[model.name] = spec;
  }
  return present;
}

}  // namespace batchscope::study
