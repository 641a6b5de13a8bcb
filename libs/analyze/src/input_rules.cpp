// Causes in what the batches are made of.

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "cause_rules.hpp"
#include "wording.hpp"

namespace batchscope::analyze {
namespace {

constexpr double kMuchPadding = 0.2;

// As they were run; where nothing was, as the shape has them.
std::optional<schema::Tokens> tokens_of(const ConfigData& config) {
  if (config.config.pipeline && !config.visits.empty()) return config.visits[0].visit->tokens;
  return schema::tokens_of(config.config.shape);
}

Signal padding(const TableFacts& table, std::size_t at) {
  const auto tokens = tokens_of(*table.sizes[at].config);
  if (!tokens || tokens->padded <= 0) return {};
  const double share = 1 - static_cast<double>(tokens->real) / static_cast<double>(tokens->padded);
  Signal signal;
  signal.words = fmt::format("{} of the tokens are padding", percent(share));
  signal.evidence = {{"padding_share", {share, std::nullopt}, "ratio"}};
  if (share >= kMuchPadding) signal.strength = share;
  return signal;
}

std::optional<schema::RunConfig> sorted(const schema::RunConfig& config) {
  if (config.pipeline->order == "sorted") return std::nullopt;
  schema::RunConfig changed = config;
  changed.pipeline->order = "sorted";
  return changed;
}

// As many tokens without padding: every sample at the mean length. What bucketing can reach at
// best. Texts cannot be cut to it, but they can be sorted.
std::optional<schema::RunConfig> with_like_lengths(const schema::RunConfig& config) {
  if (config.pipeline) return sorted(config);
  const auto tokens = schema::tokens_of(config.shape);
  if (!tokens || config.shape.lengths.empty()) return std::nullopt;
  const double mean =
      static_cast<double>(tokens->real) / static_cast<double>(config.shape.lengths.size());
  schema::RunConfig changed = config;
  changed.shape.length_mix.clear();
  changed.shape.lengths.clear();
  changed.shape.seq_len = std::llround(mean);
  return changed;
}

constexpr std::array kRules = {
    CauseRule{"cause.padding",
              "much of what is computed is padding",
              "padding",
              {},
              padding,
              with_like_lengths,
              "with samples of like lengths together",
              "sort or bucket the samples by length, or form batches by a budget of tokens"}};

}  // namespace

std::span<const CauseRule> input_rules() {
  return kRules;
}

}  // namespace batchscope::analyze
