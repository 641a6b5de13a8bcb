#include "batchscope/schema/run_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "batchscope/schema/not_stated.hpp"

namespace batchscope::schema {

int64_t cycle_of(const Shape& shape) {
  const auto samples = static_cast<int64_t>(shape.lengths.size());
  return std::max<int64_t>(1, samples / std::max<int64_t>(shape.batch_size, 1));
}

std::optional<int64_t> longest_of(const Shape& shape, int64_t index) {
  if (shape.lengths.empty()) return shape.seq_len;
  const auto first = shape.lengths.begin() + index * shape.batch_size;
  return *std::max_element(first, first + shape.batch_size);
}

std::optional<Tokens> tokens_of(const Shape& shape) {
  if (shape.lengths.empty()) return std::nullopt;
  Tokens tokens;
  tokens.real = std::accumulate(shape.lengths.begin(), shape.lengths.end(), int64_t{0});
  tokens.iterations = cycle_of(shape);
  for (int64_t i = 0; i < tokens.iterations; ++i) {
    tokens.padded += shape.batch_size * *longest_of(shape, i);
  }
  return tokens;
}

RunConfig without_batch_size(const RunConfig& config) {
  RunConfig key = config;
  key.shape.batch_size = 0;
  key.shape.lengths.clear();
  return key;
}

RunConfig computed_by(const RunConfig& config) {
  RunConfig key = without_batch_size(config);
  key.threads = key.instances = 0;
  key.environment.clear();
  key.pipeline.reset();
  return key;
}

int64_t effective_batch(const RunConfig& config) {
  return config.shape.batch_size * std::max<int64_t>(config.accumulation, 1);
}

int64_t samples_at_once(const RunConfig& config) {
  return effective_batch(config) * std::max(config.instances, 1);
}

std::optional<Tokens> tokens_of(const RunConfig& config) {
  auto tokens = tokens_of(config.shape);
  if (tokens) tokens->iterations /= std::max<int64_t>(config.accumulation, 1);
  return tokens;
}

std::string describe(const RunConfig& config) {
  std::string text = config.model;
  if (config.shape.batch_size > 0) text += fmt::format(" batch_size={}", config.shape.batch_size);
  if (config.shape.seq_len) text += fmt::format(" seq_len={}", *config.shape.seq_len);
  if (!config.shape.length_mix.empty()) text += " seq_len=" + config.shape.length_mix;
  if (config.engine == "openvino") text += " openvino";  // beside the usual one
  if (states_precision(config)) text += fmt::format(" {}", to_string(config.precision));
  if (states_device(config)) text += " " + config.device;
  if (states_threads(config)) text += fmt::format(" threads={}", config.threads);
  if (config.instances != 1) text += fmt::format(" instances={}", config.instances);
  if (config.mode == Mode::train) {
    text += config.optimizer.empty() ? " train" : fmt::format(" train ({})", config.optimizer);
  }
  if (config.checkpointing) text += " checkpointing";
  if (config.accumulation != 1) text += fmt::format(" accumulation={}", config.accumulation);
  if (config.loader) text += " " + describe(*config.loader);
  if (config.pipeline) text += " " + describe(*config.pipeline);
  for (const auto& [name, value] : config.environment) text += fmt::format(" {}={}", name, value);
  return text;
}

}  // namespace batchscope::schema
