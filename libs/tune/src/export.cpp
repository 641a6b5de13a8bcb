#include "batchscope/tune/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "batchscope/tune/outcome.hpp"

namespace batchscope::tune {
namespace {

using base::Error;
using base::ErrorKind;
using base::Result;

constexpr std::array<std::pair<std::string_view, ExportFormat>, 5> kFormats{{
    {"yaml", ExportFormat::yaml},
    {"env", ExportFormat::env},
    {"triton", ExportFormat::triton},
    {"tei", ExportFormat::tei},
    {"torchserve", ExportFormat::torchserve},
}};

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

// The same for YAML and for text of protobuf, where only these two are special.
std::string plain_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) continue;
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string head(const Deployment& deployment) {
  std::string model;
  for (const char c : deployment.config.model)
    model += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return fmt::format("# batchscope tune: {}, {:.4g} samples/s, {:.4g} ms a {}{}\n", model,
                     deployment.rate, deployment.latency_s * 1e3,
                     iteration_words(deployment.config),
                     deployment.verified ? ", verified in fresh processes" : "");
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

std::string yaml_of_texts(const schema::TextPipeline& texts) {
  return fmt::format(
      "tokenizer: {}\ntokenizer_threads: {}\nmax_length: {}\npadding: {}\norder: {}\n"
      "token_budget: {}\npooling: {}\nnormalize: {}\n",
      plain_quoted(texts.tokenizer), texts.tokenizer_threads, texts.max_length,
      plain_quoted(texts.padding), plain_quoted(texts.order), texts.token_budget,
      plain_quoted(texts.pooling), texts.normalize);
}

std::string env_of_texts(const schema::TextPipeline& texts) {
  return fmt::format(
      "TOKENIZER_THREADS={}\nMAX_LENGTH={}\nPADDING={}\nORDER={}\nTOKEN_BUDGET={}\nPOOLING={}\n"
      "NORMALIZE={}\n",
      texts.tokenizer_threads, texts.max_length, texts.padding, texts.order, texts.token_budget,
      texts.pooling, texts.normalize);
}

std::string yaml(const Deployment& deployment) {
  const schema::RunConfig& config = deployment.config;
  std::string text = head(deployment);
  text += fmt::format("model: {}\nengine: {}\nbatch_size: {}\n", plain_quoted(config.model),
                      plain_quoted(config.engine), config.shape.batch_size);
  if (config.shape.seq_len) text += fmt::format("seq_len: {}\n", *config.shape.seq_len);
  if (!config.shape.length_mix.empty()) {
    text += fmt::format("seq_lens: {}\n", plain_quoted(config.shape.length_mix));
  }
  text += fmt::format("precision: {}\ndevice: {}\nthreads: {}\ninstances: {}\nmode: {}\n",
                      schema::to_string(config.precision), plain_quoted(config.device),
                      config.threads, config.instances, schema::to_string(config.mode));
  if (config.mode == schema::Mode::train) {
    text += fmt::format("accumulation: {}\neffective_batch: {}\ncheckpointing: {}\noptimizer: {}\n",
                        config.accumulation, schema::effective_batch(config), config.checkpointing,
                        plain_quoted(config.optimizer));
  }
  if (config.loader) {
    text += fmt::format("loader_workers: {}\nloader_prefetch: {}\n", config.loader->workers,
                        config.loader->prefetch);
  }
  if (config.pipeline) text += yaml_of_texts(*config.pipeline);
  if (!config.environment.empty()) text += "environment:\n";
  for (const auto& [name, value] : config.environment) {
    text += fmt::format("  {}: {}\n", name, plain_quoted(value));
  }
  std::vector<int64_t> sizes;
  for (const GoodSize& each : deployment.good_sizes) sizes.push_back(each.size);
  text += fmt::format("good_sizes: [{}]\n", fmt::join(sizes, ", "));
  text += fmt::format("throughput_per_s: {:.6g}\nlatency_ms: {:.6g}\nverified: {}\n",
                      deployment.rate, deployment.latency_s * 1e3, deployment.verified);
  return text;
}

std::string env(const Deployment& deployment) {
  const schema::RunConfig& config = deployment.config;
  std::string text = head(deployment);
  text += fmt::format("BATCH_SIZE={}\nPRECISION={}\nENGINE={}\nDEVICE={}\nINSTANCES={}\n",
                      config.shape.batch_size, schema::to_string(config.precision), config.engine,
                      config.device, config.instances);
  text +=
      fmt::format("OMP_NUM_THREADS={}\nMODE={}\n", config.threads, schema::to_string(config.mode));
  if (config.mode == schema::Mode::train) {
    text += fmt::format("ACCUMULATION={}\nEFFECTIVE_BATCH={}\nCHECKPOINTING={}\nOPTIMIZER={}\n",
                        config.accumulation, schema::effective_batch(config), config.checkpointing,
                        config.optimizer);
  }
  if (config.shape.seq_len) text += fmt::format("SEQ_LEN={}\n", *config.shape.seq_len);
  if (config.loader) {
    text += fmt::format("LOADER_WORKERS={}\nLOADER_PREFETCH={}\n", config.loader->workers,
                        config.loader->prefetch);
  }
  if (config.pipeline) text += env_of_texts(*config.pipeline);
  for (const auto& [name, value] : config.environment) text += fmt::format("{}={}\n", name, value);
  return text;
}

std::string triton(const Deployment& deployment) {
  const schema::RunConfig& config = deployment.config;
  std::string text = head(deployment);
  if (config.engine == "torch") text += "backend: \"pytorch\"\n";
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
  std::string text = head(deployment);
  if (config.instances > 1) {
    text += fmt::format("# {} of these at once, with {} core{} each\n", config.instances,
                        config.threads, config.threads == 1 ? "" : "s");
  }
  if (config.precision == schema::Precision::bf16) {
    text += "# measured in bf16, which --dtype does not offer\n";
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
  std::string text = head(deployment);
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

}  // namespace

Result<ExportFormat> parse_export_format(std::string_view text) {
  for (const auto& [name, format] : kFormats) {
    if (name == text) return format;
  }
  return Error{ErrorKind::usage, fmt::format("'{}' is no format of a deployment", text), "--export",
               "choose yaml, env, triton, tei or torchserve"};
}

Result<void> check_export(ExportFormat format, schema::Mode mode) {
  const bool serves = format != ExportFormat::yaml && format != ExportFormat::env;
  if (!serves || mode != schema::Mode::train) return {};
  const auto* const found = std::find_if(kFormats.begin(), kFormats.end(),
                                         [&](const auto& each) { return each.second == format; });
  return Error{ErrorKind::usage,
               fmt::format("{} serves a model, and this trains one", found->first), "--export",
               "choose yaml or env"};
}

int64_t queue_delay_us(const Deployment& deployment) {
  if (!deployment.latency_budget_s) return 0;
  constexpr double kUsASecond = 1e6;
  return std::max<int64_t>(
      std::llround((*deployment.latency_budget_s - 2 * deployment.latency_s) * kUsASecond), 0);
}

std::string export_text(ExportFormat format, const Deployment& deployment) {
  switch (format) {
    case ExportFormat::yaml:
      return yaml(deployment);
    case ExportFormat::env:
      return env(deployment);
    case ExportFormat::triton:
      return triton(deployment);
    case ExportFormat::tei:
      return tei(deployment);
    case ExportFormat::torchserve:
      break;
  }
  return torchserve(deployment);
}

}  // namespace batchscope::tune
