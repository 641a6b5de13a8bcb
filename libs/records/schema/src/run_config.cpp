#include "batchscope/schema/run_config.hpp"

#include <algorithm>
#include <numeric>

#include "batchscope/schema/axes.hpp"

namespace batchscope::schema {
namespace {

// Without the values of all others.
RunConfig with_axes_that(bool Axis::*hold, const RunConfig& config) {
  RunConfig key = config;
  for (const Axis& each : axes()) {
    if (!(each.*hold)) each.forget(key);
  }
  return key;
}

}  // namespace

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
  axis(AxisId::batch_size).forget(key);
  return key;
}

RunConfig computed_by(const RunConfig& config) {
  return with_axes_that(&Axis::sets_outputs, config);
}

RunConfig process_of(const RunConfig& config) {
  return with_axes_that(&Axis::of_process, config);
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
  std::string text;
  each_axis_engine_after(AxisId::seq_len, [&](const Axis& each) {
    const std::string reported = each.described(config);
    if (!reported.empty()) text += (text.empty() ? "" : " ") + reported;
  });
  return text;
}

}  // namespace batchscope::schema
