#include "batchscope/study/job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/engine/content_hash.hpp"
#include "batchscope/engine/description.hpp"
#include "batchscope/study/check_pipelines.hpp"
#include "engine_files.hpp"

namespace batchscope::study {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

// Where the engine knows no devices of that kind, but another one does.
std::string engines_for(const engine::Engine& engine, std::string_view device,
                        const engine::InstallPaths& places) {
  const std::string_view kind = device.substr(0, device.find(':'));
  const auto knows = [&](const engine::EngineDescription& each) {
    return base::contains(each.device_kinds, kind);
  };
  const std::string others =
      knows(engine::describe(engine, places)) ? "" : engine::engines_that(knows);
  return others.empty() ? "" : fmt::format("; {} devices are for engine {}", kind, others);
}

Result<void> check_devices(const engine::Engine& engine, const std::vector<std::string>& devices,
                           const engine::InstallPaths& places) {
  const std::vector<std::string> there = engine.devices();
  for (const std::string& device : devices) {
    if (base::contains(there, device)) continue;
    return Error{ErrorKind::usage, fmt::format("no device '{}' here", device), "--device",
                 fmt::format("engine {} sees: {}{}", engine.name(), fmt::join(there, ", "),
                             engines_for(engine, device, places))};
  }
  return {};
}

// Of several precisions those that are not there are told in a note, and fail when they are
// visited, so that one command line serves machines that differ. Where none is there, nothing could
// be measured.
Result<void> check_precisions(const engine::Engine& engine, const Axes& axes,
                              std::vector<std::string>& notes) {
  std::vector<Error> lacking;
  for (const std::string& device : axes.devices) {
    for (const schema::Precision precision : axes.precisions) {
      const auto can = engine.check_precision(device, precision);
      if (!can) lacking.push_back(can.error());
    }
  }
  if (lacking.empty()) return {};
  if (lacking.size() == axes.devices.size() * axes.precisions.size()) return lacking.front();
  for (const Error& each : lacking) notes.push_back("Skipped: " + each.what);
  return {};
}

Result<void> check_checkpointing(const engine::Engine& engine, const Axes& axes,
                                 const std::vector<SweepModel>& models) {
  if (!base::contains(axes.checkpointing, true)) return {};
  if (!base::contains(axes.modes, schema::Mode::train)) {
    return Error{ErrorKind::usage, "only training keeps activations", "--checkpointing",
                 "add --mode train"};
  }
  std::vector<std::string> known;
  for (const engine::ModelDescription& model : engine.models()) {
    if (model.checkpointing) known.push_back(model.name);
  }
  for (const SweepModel& model : models) {
    if (model.checkpointing) continue;
    return Error{ErrorKind::usage,
                 fmt::format("'{}' is not a built-in transformer: its layers cannot be recomputed",
                             model.spec.name),
                 "--checkpointing",
                 known.empty() ? fmt::format("engine {} has no such model", engine.name())
                               : fmt::format("it is for {}", fmt::join(known, ", "))};
  }
  return {};
}

Result<void> check_current_size(const ProfileRequest& request) {
  const auto& current = request.plan.current_batch_size;
  if (!current || base::contains(request.axes.batch_sizes, *current)) return {};
  return Error{ErrorKind::usage,
               fmt::format("batch size {} is not among the sizes to measure", *current),
               "--current-batch-size", fmt::format("add {} to --batch-sizes", *current)};
}

Result<void> check_tokenizers(const Axes& axes, const std::vector<SweepModel>& models) {
  for (const schema::TextPipeline& pipeline : axes.pipelines) {
    for (const SweepModel& model : models) {
      if (!pipeline.tokenizer.empty() || !model.tokenizer.empty()) continue;
      return Error{ErrorKind::usage, fmt::format("no tokenizer for {}", model.spec.name),
                   "--pipeline",
                   "add --tokenizer tokenizer.xml (tools/models/convert_tokenizer.py converts one "
                   "of Hugging Face), or measure a model of ./dev models"};
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
      "model {} has no input with \"mask\" in its name: it processes padding like real tokens",
      model.spec.name));
}

Result<void> check_same_lengths(const schema::RunFile& recorded, const ProfileRequest& request) {
  for (const LengthMix& mix : request.axes.length_mixes) {
    const auto found = std::find_if(
        recorded.configs.begin(), recorded.configs.end(),
        [&](const schema::RunConfig& config) { return config.shape.length_mix == mix.text; });
    if (found == recorded.configs.end()) continue;
    const schema::Shape& shape = found->shape;
    if (shape.lengths == lengths_for(mix, *found, recorded.header.seed)) continue;
    return Error{ErrorKind::usage, "the lengths differ from the run file's", mix.text,
                 "remove --seq-lens, or write to another file"};
  }
  return {};
}

Result<void> check_same_axes(const schema::RunFile& recorded, const ProfileRequest& request) {
  for (const auto& [axis, typed] : request.axes_as_typed) {
    const auto found = recorded.header.axes.find(axis);
    const std::string was = found == recorded.header.axes.end() ? "the default" : found->second;
    if (was == typed) continue;
    return Error{ErrorKind::usage, fmt::format("{} differs from the run file's {}", typed, was),
                 axis, "remove the axes, or write to another file"};
  }
  return {};
}

// By what the files hold, since a path says nothing of it.
Result<void> note_texts(const std::vector<schema::RunConfig>& configs,
                        std::map<std::string, std::string>& versions) {
  for (const schema::RunConfig& config : configs) {
    if (!config.pipeline || config.pipeline->texts.empty() || versions.contains("texts")) continue;
    auto hash = engine::file_hash(config.pipeline->texts);
    if (!hash) return std::move(hash).error();
    versions["texts"] = *std::move(hash);
  }
  return {};
}

Result<void> check_modes(const engine::Engine& engine, const Axes& axes,
                         const engine::InstallPaths& places) {
  const bool train = base::contains(axes.modes, schema::Mode::train);
  if (!train || engine::describe(engine, places).trains) return {};
  const std::string others =
      engine::engines_that([](const auto& other) { return other.trains && !other.virtual_time; });
  return Error{ErrorKind::usage, fmt::format("the engine {} does not train", engine.name()),
               "--mode", fmt::format("use --mode infer, or --engine {}", others)};
}

Result<void> check_loaders(const engine::Engine& engine, const Axes& axes,
                           const engine::InstallPaths& places) {
  if (axes.loaders.empty()) return {};
  const engine::EngineDescription described = engine::describe(engine, places);
  for (const schema::Loader& loader : axes.loaders) {
    const bool in_python = is_in_python(loader);
    if (in_python ? described.interpreted : described.loads_files) continue;
    const auto can = [in_python](const engine::EngineDescription& other) {
      return in_python ? other.interpreted : other.loads_files;
    };
    return Error{ErrorKind::usage,
                 fmt::format("the engine {} cannot train on {}", engine.name(),
                             in_python ? source_in_words(loader) : "files"),
                 "--loader",
                 fmt::format("remove it, or use --engine {}{}", engine::engines_that(can),
                             in_python ? " (-m step:20ms)" : "")};
  }
  if (axes.length_mixes.empty()) return {};
  return Error{ErrorKind::usage, "texts from files have their own lengths", "--loader, --seq-lens",
               "state one length to cut and pad to: --seq-lens 128"};
}

// Said once, since the sizes are missing from every table of a training.
void note_indivisible(const Axes& axes, schema::Header& header) {
  if (!axes.effective_batch) return;
  std::vector<int64_t> left_out;
  for (const int64_t size : axes.batch_sizes) {
    if (*axes.effective_batch % size != 0) left_out.push_back(size);
  }
  if (left_out.empty()) return;
  header.notes.push_back(fmt::format(
      "Batch size{} {} skipped: {} samples per step are not a multiple.",
      left_out.size() == 1 ? "" : "s", fmt::join(left_out, ", "), *axes.effective_batch));
}

// A file may be exported for batches of one size.
Result<void> check_batch_sizes(const std::vector<SweepModel>& models, const Axes& axes) {
  for (const SweepModel& model : models) {
    for (const engine::InputSpec& input : model.spec.inputs) {
      const auto only = engine::fixed_batch(input);
      if (!only || axes.batch_sizes == std::vector{*only}) continue;
      return Error{ErrorKind::usage,
                   fmt::format("takes batches of exactly {} (input {})", *only, input.name),
                   model.spec.path,
                   fmt::format("use --batch-sizes {}, or export it with a dynamic batch", *only)};
    }
  }
  return {};
}

// What depends on the machine that measures.
Result<void> check_machine(const engine::Engine& engine, const ProfileRequest& request,
                           std::vector<std::string>& notes) {
  if (request.measured_elsewhere) return {};
  auto known = check_devices(engine, request.axes.devices, request.places);
  return known ? check_precisions(engine, request.axes, notes) : known;
}

// What one engine has to measure, and what it says of the models.
struct EnginePart {
  std::vector<SweepModel> models;
  std::vector<schema::RunConfig> configs;
  std::vector<std::string> notes;
};

Result<EnginePart> part_of(engine::Engine& engine, const ProfileRequest& request,
                           const std::vector<NamedModel>& named,
                           const std::vector<std::string>& engines) {
  const Axes& axes = request.axes;
  if (auto can = check_modes(engine, axes, request.places); !can) return can.error();
  std::vector<std::string> notes;
  if (auto can = check_machine(engine, request, notes); !can) return can.error();
  const auto names = names_for(named, std::string(engine.name()));
  if (!names) return names.error();
  auto models =
      find_models(engine, *names, request.inputs, request.seed, request.places, request.inputs_of);
  if (!models) return std::move(models).error();
  for (std::size_t i = 0; i < models->size(); ++i) {
    if (!named[i].files.empty()) (*models)[i].spec.name = common_name(named[i], engines);
  }
  if (auto can = check_checkpointing(engine, axes, *models); !can) return can.error();
  if (auto can = check_tokenizers(axes, *models); !can) return can.error();
  if (auto can = check_loaders(engine, axes, request.places); !can) return can.error();
  if (auto fits = check_batch_sizes(*models, axes); !fits) return fits.error();
  auto configs = expand(axes, engine.name(), *models);
  if (!configs) return std::move(configs).error();
  return EnginePart{*std::move(models), *std::move(configs), std::move(notes)};
}

Result<void> add_part(engine::Engine& engine, EnginePart part, const ProfileRequest& request,
                      bool alone, measure::Job& job) {
  for (const auto& [name, version] : engine.versions()) job.header.versions[name] = version;
  std::move(part.notes.begin(), part.notes.end(), std::back_inserter(job.header.notes));
  for (const SweepModel& model : part.models) {
    auto info = engine.inspect(model.spec);
    if (!info) return std::move(info).error();
    info->inputs = model.inputs;
    if (!alone) info->engine = engine.name();
    job.header.models.push_back(*std::move(info));
    note_unmasked(model, request.axes, job.header);
    const std::string key =
        alone ? model.spec.name : measure::model_key(std::string(engine.name()), model.spec.name);
    job.models[key] = model.spec;
  }
  std::move(part.configs.begin(), part.configs.end(), std::back_inserter(job.configs));
  return {};
}

Result<measure::Job> make_job(const std::vector<engine::Engine*>& engines,
                              const schema::Machine& machine, const ProfileRequest& request) {
  if (auto measured = check_current_size(request); !measured) return measured.error();
  std::vector<std::string> names;
  for (const engine::Engine* engine : engines) names.emplace_back(engine->name());
  const std::vector<NamedModel> named = named_models(request.models, names);
  measure::Job job;
  job.header.tool_version = request.tool_version;
  job.header.created = request.created;
  job.header.machine = machine;
  job.header.axes = request.axes_as_typed;
  job.header.command_line = request.command_line;
  job.header.seed = request.seed;
  job.header.plan = request.plan;
  job.header.notes = request.notes;
  for (engine::Engine* const engine : engines) {
    auto part = part_of(*engine, request, named, names);
    if (!part) return std::move(part).error();
    auto added = add_part(*engine, *std::move(part), request, engines.size() == 1, job);
    if (!added) return std::move(added).error();
  }
  // The processor of a law in virtual time is as large as it has to be.
  if (!request.measured_elsewhere &&
      !engine::describe(*engines.front(), request.places).virtual_time) {
    auto left_out = leave_out_overcommitted(job.configs, request.axes.cores);
    if (!left_out) return std::move(left_out).error();
    job.header.notes.insert(job.header.notes.begin(), left_out->begin(), left_out->end());
  }
  note_indivisible(request.axes, job.header);
  if (auto noted = note_texts(job.configs, job.header.versions); !noted) return noted.error();
  job.header.configurations = static_cast<int64_t>(job.configs.size());
  if (auto fits = check_pipelines(job, request.places); !fits) return fits.error();
  return job;
}

}  // namespace

Result<measure::Job> make_job(engine::Engine& engine, const schema::Machine& machine,
                              const ProfileRequest& request) {
  return make_job(std::vector<engine::Engine*>{&engine}, machine, request);
}

Result<measure::Job> make_job(Engines engines, const schema::Machine& machine,
                              const ProfileRequest& request) {
  std::vector<engine::Engine*> all;
  for (const auto& each : engines) all.push_back(each.get());
  return make_job(all, machine, request);
}

Result<measure::Present> inspect_again(Engines engines, const schema::Machine& machine,
                                       const schema::RunFile& recorded,
                                       const ProfileRequest& request) {
  if (auto same = check_same_axes(recorded, request); !same) return same.error();
  if (auto same = check_same_lengths(recorded, request); !same) return same.error();
  measure::Present present;
  present.machine = machine;
  if (auto noted = note_texts(recorded.configs, present.versions); !noted) return noted.error();
  for (const schema::ModelInfo& model : recorded.header.models) {
    auto inputs = engine::parse_input_specs(model.inputs);
    if (!inputs) return std::move(inputs).error();
    const engine::ModelSpec spec{model.name, model.path, *std::move(inputs), recorded.header.seed};
    const auto of_model = std::find_if(engines.begin(), engines.end(), [&](const auto& each) {
      return each->name() == model.engine;
    });
    auto info = (of_model == engines.end() ? engines.front() : *of_model)->inspect(spec);
    if (!info) return std::move(info).error();
    info->engine = model.engine;
    present.models.push_back(*std::move(info));
    present
        .specs[model.engine.empty() ? model.name : measure::model_key(model.engine, model.name)] =
        spec;
  }
  return present;
}

}  // namespace batchscope::study
