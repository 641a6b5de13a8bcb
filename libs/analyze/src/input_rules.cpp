// Causes in what the batches are made of.

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "cause_rules.hpp"
#include "wording.hpp"

namespace batchscope::analyze {
namespace {

constexpr double kMuchPadding = 0.2;

Signal padding(const TableFacts& table, std::size_t at) {
  const auto tokens = schema::tokens_of(table.sizes[at].config->config.shape);
  if (!tokens || tokens->padded <= 0) return {};
  const double share = 1 - static_cast<double>(tokens->real) / static_cast<double>(tokens->padded);
  Signal signal;
  signal.words = fmt::format("{} of the tokens are padding", percent(share));
  signal.evidence = {{"padding_share", {share, std::nullopt}, "ratio"}};
  if (share >= kMuchPadding) signal.strength = share;
  return signal;
}

// As many tokens without padding: every sample at the mean length. What bucketing can reach at
// best.
std::optional<schema::RunConfig> with_equal_lengths(const schema::RunConfig& config) {
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
              with_equal_lengths,
              "with every sample at the mean length",
              "sort or bucket the samples by length, or form batches by a budget of tokens"}};

}  // namespace

std::span<const CauseRule> input_rules() {
  return kRules;
}

}  // namespace batchscope::analyze
