#include <fmt/format.h>

#include <algorithm>

#include "batchscope/base/counted.hpp"
#include "batchscope/schema/axes.hpp"
#include "batchscope/schema/device_name.hpp"
#include "batchscope/schema/not_stated.hpp"
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

// The longest sample, tokens; absent without lengths.
std::optional<int64_t> longest_sample(const schema::Shape& shape) {
  if (shape.seq_len || shape.lengths.empty()) return shape.seq_len;
  return *std::max_element(shape.lengths.begin(), shape.lengths.end());
}

// One server; of several at once each listens on ports of its own.
std::string tei_command(const Deployment& deployment, int index) {
  constexpr int64_t kUsualOfAClient = 32;  // its default, below which clients are refused
  constexpr int kUsualPort = 3000;
  const schema::RunConfig& config = deployment.config;
  const int64_t batch = config.shape.batch_size;
  const std::optional<int64_t> longest = longest_sample(config.shape);
  std::string text;
  if (const std::string gpu = gpu_index(config); !gpu.empty()) {
    text += fmt::format("CUDA_VISIBLE_DEVICES={} ", gpu);
  }
  for (const auto& [name, value] : config.environment) {
    text += fmt::format("{}={} ", name, shell_quoted(value));
  }
  text += fmt::format("text-embeddings-router --model-id {} --max-batch-requests {}",
                      shell_quoted(config.model), batch);
  if (config.instances > 1) text += fmt::format(" --port {}", kUsualPort + index);
  if (longest) text += fmt::format(" --max-batch-tokens {}", batch * *longest);
  text += fmt::format(" --max-client-batch-size {}", std::max(batch, kUsualOfAClient));
  const int workers = config.pipeline ? config.pipeline->tokenizer_threads : config.threads;
  if (workers > 0) text += fmt::format(" --tokenization-workers {}", workers);
  if (config.precision == schema::Precision::fp32) text += " --dtype float32";
  if (config.precision == schema::Precision::fp16) text += " --dtype float16";
  // What does not fit into a batch would wait for ever, or keep the server from starting.
  return text + (longest ? " --auto-truncate" : "");
}

}  // namespace

bool on_gpu(const schema::RunConfig& config) {
  return schema::is_cuda(config.device);
}

std::string gpu_index(const schema::RunConfig& config) {
  const auto index = schema::device_index(config.device);
  return on_gpu(config) && index ? std::to_string(*index) : "";
}

std::string other_accelerator(const schema::RunConfig& config) {
  if (!schema::is_accelerator(config.device) || on_gpu(config)) return "";
  return fmt::format("# measured on {}: select this device in the server yourself\n",
                     plain_quoted(config.device));
}

std::string engine_in_words(const schema::RunConfig& config) {
  return !schema::states_engine(config) ? "the measured engine is not stated"
                                        : "measured with " + config.engine;
}

std::string environment_note(const schema::RunConfig& config) {
  const std::string variables = schema::axis(schema::AxisId::environment).words(config);
  std::string note;
  if (!variables.empty()) {
    note = fmt::format("# set in the environment of the server: {}\n", plain_quoted(variables));
  }
  for (const schema::Axis& axis : schema::axes()) {
    const std::string words = axis.plain ? axis.words(config) : "";
    if (!words.empty()) note += fmt::format("# measured with {}\n", plain_quoted(words));
  }
  return note;
}

std::string tei(const Deployment& deployment) {
  const schema::RunConfig& config = deployment.config;
  std::string text = export_head(deployment);
  text += fmt::format(
      "# {}; this server runs its own engine, so its times differ: measure it\n# before you rely "
      "on these figures\n",
      engine_in_words(config));
  text += other_accelerator(config);
  if (!takes_texts(config))
    text += "# the run file does not state whether the model is a text encoder\n";
  if (config.instances > 1) {
    text += fmt::format("# run {} of these at once{}; each needs its own --prometheus-port\n",
                        config.instances,
                        schema::states_threads(config)
                            ? fmt::format(", with {} each", base::counted(config.threads, "core"))
                            : "");
  }
  if (config.precision == schema::Precision::bf16) {
    text += "# measured in bf16, which --dtype does not offer\n";
  }
  if (config.model.find('/') == std::string::npos) {
    text += "# --model-id: the model's id on the hub, or its folder\n";
  }
  if (const auto longest = longest_sample(config.shape)) {
    text += fmt::format("# texts longer than {} tokens are truncated\n",
                        config.shape.batch_size * *longest);
  }
  for (int i = 0; i < config.instances; ++i) {
    text += tei_command(deployment, i) + (i + 1 < config.instances ? " &\n" : "\n");
  }
  return text;
}

}  // namespace batchscope::tune
