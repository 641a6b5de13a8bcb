#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "export_texts.hpp"

namespace batchscope::tune {
namespace {

// In double quotes, for a shell.
std::string shell_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) continue;
    if (c == '"' || c == '\\' || c == '$' || c == '`') out += '\\';
    out += c;
  }
  return out + '"';
}

// Sizes to form: of the good ones up to the pick those that are worth stopping at.
std::vector<int64_t> preferred(const Deployment& deployment) {
  constexpr double kNearThePick = 0.9;
  const int64_t largest = deployment.config.shape.batch_size;
  std::vector<int64_t> sizes;
  double best = 0;
  for (const GoodSize& each : deployment.good_sizes) {
    const bool worth = each.rate >= kNearThePick * deployment.rate || each.rate > best;
    best = std::max(best, each.rate);
    if (worth && each.size > 1 && each.size < largest) sizes.push_back(each.size);
  }
  if (largest > 1) sizes.push_back(largest);
  return sizes;
}

bool on_gpu(const schema::RunConfig& config) {
  return config.device.starts_with("cuda");
}

// "1" of "cuda:1"; empty: the only one, or the first.
std::string gpu_index(const schema::RunConfig& config) {
  const std::size_t colon = config.device.find(':');
  return on_gpu(config) && colon != std::string::npos ? config.device.substr(colon + 1) : "";
}

// The longest sample, tokens; absent without lengths.
std::optional<int64_t> longest_sample(const schema::Shape& shape) {
  if (shape.seq_len || shape.lengths.empty()) return shape.seq_len;
  return *std::max_element(shape.lengths.begin(), shape.lengths.end());
}

}  // namespace

std::string triton(const Deployment& deployment) {
  const schema::RunConfig& config = deployment.config;
  std::string text = export_head(deployment);
  if (config.engine == "torch") {
    text +=
        "# this backend tells nothing of the model by itself: add its input and output sections\n"
        "backend: \"pytorch\"\n";
  }
  if (config.engine == "openvino") text += "backend: \"openvino\"\n";
  text += fmt::format("max_batch_size: {}\n", config.shape.batch_size);
  const auto sizes = preferred(deployment);
  const int64_t delay = queue_delay_us(deployment);
  text += "dynamic_batching {\n";
  if (!sizes.empty()) {
    text += fmt::format(
        "  # Within 10 % of the best throughput, or better than every smaller size; by the\n"
        "  # estimates of a search, not proven.\n"
        "  preferred_batch_size: [ {} ]\n",
        fmt::join(sizes, ", "));
  }
  if (delay > 0) text += fmt::format("  max_queue_delay_microseconds: {}\n", delay);
  text += "}\n";
  text += fmt::format("instance_group [\n  {{\n    count: {}\n    kind: {}\n", config.instances,
                      on_gpu(config) ? "KIND_GPU" : "KIND_CPU");
  if (const std::string gpu = gpu_index(config); !gpu.empty()) {
    text += fmt::format("    gpus: [ {} ]\n", gpu);
  }
  text += "  }\n]\n";
  const char* const threads = config.engine == "torch"      ? "INTRA_OP_THREAD_COUNT"
                              : config.engine == "openvino" ? "INFERENCE_NUM_THREADS"
                                                            : nullptr;
  if (threads != nullptr && !on_gpu(config)) {
    text += fmt::format("parameters {{\n  key: \"{}\"\n  value {{ string_value: \"{}\" }}\n}}\n",
                        threads, config.threads);
  }
  if (config.precision != schema::Precision::fp32) {
    text += fmt::format("# precision {}: of the model file, not of this one\n",
                        schema::to_string(config.precision));
  }
  return text;
}

std::string tei(const Deployment& deployment) {
  constexpr int64_t kUsualOfAClient = 32;  // its default, below which clients are refused
  const schema::RunConfig& config = deployment.config;
  const int64_t batch = config.shape.batch_size;
  std::string text = export_head(deployment);
  if (config.instances > 1) {
    text += fmt::format("# {} of these at once, with {} core{} each\n", config.instances,
                        config.threads, config.threads == 1 ? "" : "s");
  }
  if (config.precision == schema::Precision::bf16) {
    text += "# measured in bf16, which --dtype does not offer\n";
  }
  if (config.model.find('/') == std::string::npos) {
    text += "# --model-id: put the model's id on the hub there, or its folder\n";
  }
  const std::optional<int64_t> longest = longest_sample(config.shape);
  if (longest) {
    text += fmt::format("# texts of more than {} tokens are cut off there\n", batch * *longest);
  }
  if (const std::string gpu = gpu_index(config); !gpu.empty()) {
    text += fmt::format("CUDA_VISIBLE_DEVICES={} ", gpu);
  }
  text += fmt::format("text-embeddings-router --model-id {} --max-batch-requests {}",
                      shell_quoted(config.model), batch);
  if (longest) text += fmt::format(" --max-batch-tokens {}", batch * *longest);
  text += fmt::format(" --max-client-batch-size {}", std::max(batch, kUsualOfAClient));
  const int workers = config.pipeline ? config.pipeline->tokenizer_threads : config.threads;
  text += fmt::format(" --tokenization-workers {}", workers);
  if (config.precision == schema::Precision::fp32) text += " --dtype float32";
  if (config.precision == schema::Precision::fp16) text += " --dtype float16";
  // What does not fit into a batch would wait for ever, or keep the server from starting.
  return text + (longest ? " --auto-truncate\n" : "\n");
}

std::string torchserve(const Deployment& deployment) {
  constexpr double kUsAMs = 1e3;
  const schema::RunConfig& config = deployment.config;
  std::string text = export_head(deployment);
  if (!on_gpu(config))
    text += fmt::format("# OMP_NUM_THREADS={} for each worker\n", config.threads);
  const std::string gpu = gpu_index(config);
  if (!gpu.empty()) text += fmt::format("deviceIds: [{}]\n", gpu);
  return text + fmt::format(
                    "minWorkers: {0}\nmaxWorkers: {0}\nbatchSize: {1}\nmaxBatchDelay: {2}\n"
                    "deviceType: \"{3}\"\n",
                    config.instances, config.shape.batch_size,
                    std::llround(static_cast<double>(queue_delay_us(deployment)) / kUsAMs),
                    on_gpu(config) ? "gpu" : "cpu");
}

}  // namespace batchscope::tune
