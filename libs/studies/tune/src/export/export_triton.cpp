#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "batchscope/engine/description.hpp"
#include "batchscope/schema/device_name.hpp"
#include "batchscope/schema/not_stated.hpp"
#include "export_texts.hpp"

namespace batchscope::tune {
namespace {

// Sizes to form: of the good ones up to the pick those that are worth stopping at.
std::vector<int64_t> preferred(const Deployment& deployment) {
  constexpr double kNearThePick = 0.9;
  const int64_t largest = deployment.config.shape.batch_size;
  // The rates of the sizes are the search's, so that of the pick among them is what they are held
  // against, not that of its fresh visits.
  double at_pick = deployment.rate;
  for (const GoodSize& each : deployment.good_sizes) {
    if (each.size == largest) at_pick = each.rate;
  }
  std::vector<int64_t> sizes;
  double best = 0;
  for (const GoodSize& each : deployment.good_sizes) {
    const bool worth = each.rate >= kNearThePick * at_pick || each.rate > best;
    best = std::max(best, each.rate);
    if (worth && each.size > 1 && each.size < largest) sizes.push_back(each.size);
  }
  if (largest > 1) sizes.push_back(largest);
  return sizes;
}

// The name of the folder in the model repository, which is that of the model.
std::string repository_name(std::string_view model) {
  std::string name;
  for (const char c : model) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
    name += plain ? c : '_';
  }
  return name;
}

std::string_view data_type(engine::DType dtype) {
  constexpr std::array<std::pair<engine::DType, std::string_view>, 7> kTypes{
      {{engine::DType::float32, "TYPE_FP32"},
       {engine::DType::float64, "TYPE_FP64"},
       {engine::DType::float16, "TYPE_FP16"},
       {engine::DType::bfloat16, "TYPE_BF16"},
       {engine::DType::int64, "TYPE_INT64"},
       {engine::DType::int32, "TYPE_INT32"},
       {engine::DType::boolean, "TYPE_BOOL"}}};
  for (const auto& [known, type] : kTypes) {
    if (known == dtype) return type;
  }
  return "";
}

// Without its batch dimension, which has to be the first; empty for another shape.
std::string input_text(const engine::InputSpec& spec) {
  if (spec.dimensions.empty() || spec.dimensions.front().symbol != engine::Symbol::batch) return "";
  std::vector<int64_t> sizes;
  for (auto each = spec.dimensions.begin() + 1; each != spec.dimensions.end(); ++each) {
    if (each->symbol == engine::Symbol::batch) return "";
    sizes.push_back(each->symbol == engine::Symbol::none ? each->size : -1);
  }
  const char* const scalar = sizes.empty() ? "    reshape { shape: [ ] }\n" : "";
  if (sizes.empty()) sizes.push_back(1);
  return fmt::format("  {{\n    name: {}\n    data_type: {}\n    dims: [ {} ]\n{}  }}",
                     plain_quoted(spec.name), data_type(spec.dtype), fmt::join(sizes, ", "),
                     scalar);
}

std::string inputs_text(const Deployment& deployment) {
  std::vector<std::string> inputs;
  for (const std::string& typed : deployment.inputs) {
    const auto spec = engine::parse_input_spec(typed);
    const std::string text = spec ? input_text(*spec) : "";
    if (text.empty()) return "";
    inputs.push_back(text);
  }
  return inputs.empty() ? "" : fmt::format("input [\n{}\n]\n", fmt::join(inputs, ",\n"));
}

// How the server runs what this engine runs, where that is known.
std::optional<engine::TritonBackend> backend_of(const Deployment& deployment) {
  const auto described = engine::find_description(deployment.config.engine, deployment.places);
  return described ? described->triton : std::nullopt;
}

std::string backend_text(const Deployment& deployment, bool inputs_known) {
  const auto backend = backend_of(deployment);
  if (!backend) {
    return fmt::format("# {}: add the backend that runs the model\n",
                       engine_in_words(deployment.config));
  }
  const std::string line = fmt::format("backend: \"{}\"\n", backend->name);
  if (backend->tells_inputs_and_outputs) return line;
  return fmt::format("# this backend does not describe the model by itself: {}\n{}",
                     inputs_known ? "add its output section; the names of its\n# inputs are those "
                                    "of forward()'s arguments, or NAME__INDEX"
                                  : "add its input and output sections",
                     line);
}

std::string parameters_text(const Deployment& deployment) {
  const schema::RunConfig& config = deployment.config;
  const auto backend = backend_of(deployment);
  const std::string threads = backend ? backend->threads_parameter : "";
  if (threads.empty() || schema::is_accelerator(config.device)) return "";
  return fmt::format("parameters {{\n  key: \"{}\"\n  value {{ string_value: \"{}\" }}\n}}\n",
                     threads, config.threads);
}

// The server places instances on the CPU or on CUDA devices; elsewhere the model has to do it.
std::string_view instance_kind(const schema::RunConfig& config) {
  if (on_gpu(config)) return "KIND_GPU";
  return schema::is_accelerator(config.device) ? "KIND_MODEL" : "KIND_CPU";
}

std::string instances_text(const schema::RunConfig& config) {
  std::string text = other_accelerator(config) +
                     fmt::format("instance_group [\n  {{\n    count: {}\n    kind: {}\n",
                                 config.instances, instance_kind(config));
  if (const std::string gpu = gpu_index(config); !gpu.empty()) {
    text += fmt::format("    gpus: [ {} ]\n", gpu);
  }
  return text + "  }\n]\n";
}

}  // namespace

std::string triton(const Deployment& deployment) {
  const schema::RunConfig& config = deployment.config;
  const std::string inputs = inputs_text(deployment);
  std::string text = export_head(deployment) + environment_note(config);
  text += fmt::format("name: {}\n", plain_quoted(repository_name(config.model)));
  text += backend_text(deployment, !inputs.empty());
  text += fmt::format("max_batch_size: {}\n", config.shape.batch_size) + inputs;
  const auto sizes = preferred(deployment);
  const int64_t delay = queue_delay_us(deployment);
  text += "dynamic_batching {\n";
  if (!sizes.empty()) {
    text += fmt::format(
        "  # Sizes within 10 % of the best throughput, or faster than every smaller size;\n  # "
        "estimated by the search, not verified.\n  preferred_batch_size: [ {} ]\n",
        fmt::join(sizes, ", "));
  }
  if (delay > 0) text += fmt::format("  max_queue_delay_microseconds: {}\n", delay);
  text += "}\n" + instances_text(config) + parameters_text(deployment);
  if (schema::states_precision(config) && config.precision != schema::Precision::fp32) {
    text += fmt::format("# precision {}: set by the model file, not here\n",
                        schema::to_string(config.precision));
  }
  return text;
}

}  // namespace batchscope::tune
