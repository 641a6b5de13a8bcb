#include "batchscope/schema/run_config.hpp"

#include <fmt/format.h>

namespace batchscope::schema {

RunConfig without_batch_size(const RunConfig& config) {
  RunConfig key = config;
  key.shape.batch_size = 0;
  return key;
}

std::string describe(const RunConfig& config) {
  std::string text = config.model;
  if (config.shape.batch_size > 0) text += fmt::format(" batch_size={}", config.shape.batch_size);
  if (config.shape.seq_len) text += fmt::format(" seq_len={}", *config.shape.seq_len);
  text +=
      fmt::format(" {} {} threads={}", to_string(config.precision), config.device, config.threads);
  if (config.instances != 1) text += fmt::format(" instances={}", config.instances);
  if (config.mode == Mode::train) {
    text += config.optimizer.empty() ? " train" : fmt::format(" train ({})", config.optimizer);
  }
  for (const auto& [name, value] : config.environment) text += fmt::format(" {}={}", name, value);
  return text;
}

}  // namespace batchscope::schema
