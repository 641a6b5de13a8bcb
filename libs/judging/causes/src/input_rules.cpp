// Causes in what the batches are made of.

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "batchscope/findings/wording.hpp"
#include "cause_rules.hpp"

namespace batchscope::causes {
namespace {

using findings::percent;
using tables::ConfigData;

constexpr findings::Metric kPaddingShare{"padding_share",
                                         "Share of the tokens of a batch that are padding."};

constexpr double kMuchPadding = 0.2;

// As they were run; where nothing was, as the shape has them.
std::optional<schema::Tokens> tokens_of(const ConfigData& config) {
  if (config.config.pipeline && !config.visits.empty()) return config.visits[0].visit->tokens;
  return schema::tokens_of(config.config.shape);
}

Signal padding_at(const TableFacts& table, std::size_t at) {
  const auto tokens = tokens_of(*table.sizes[at].config);
  if (!tokens || tokens->padded <= 0) return {};
  const double share = 1 - static_cast<double>(tokens->real) / static_cast<double>(tokens->padded);
  return {share >= kMuchPadding ? share : 0,
          fmt::format("{} of the tokens are padding", percent(share)),
          {evidence_of(kPaddingShare, share)}};
}

// Two ways to take it away, told apart so that each is called what it was.
Signal padding(const TableFacts& table, std::size_t at) {
  return table.group->key.pipeline ? Signal{} : padding_at(table, at);
}

Signal padding_of_texts(const TableFacts& table, std::size_t at) {
  return table.group->key.pipeline ? padding_at(table, at) : Signal{};
}

std::optional<schema::RunConfig> with_sorted_texts(const schema::RunConfig& config) {
  if (!config.pipeline || config.pipeline->order == schema::TextOrder::sorted) return std::nullopt;
  schema::RunConfig changed = config;
  changed.pipeline->order = schema::TextOrder::sorted;
  // Those of a law are the lengths of its cycle.
  changed.pipeline->sort_window = 0;
  changed.pipeline->sort_all = !config.pipeline->texts.empty();
  return changed;
}

// As many tokens without padding: every sample at the mean length, which sorting can come near to.
std::optional<schema::RunConfig> with_equal_lengths(const schema::RunConfig& config) {
  const auto tokens = schema::tokens_of(config.shape);
  if (!tokens || config.shape.lengths.empty() || config.pipeline) return std::nullopt;
  const double mean =
      static_cast<double>(tokens->real) / static_cast<double>(config.shape.lengths.size());
  schema::RunConfig changed = config;
  changed.shape.length_mix.clear();
  changed.shape.lengths.clear();
  changed.shape.seq_len = std::llround(mean);
  return changed;
}

constexpr auto kPadding = Row(
    "cause.padding", "Padding takes a large share of the computation",
    "With inputs of variable length, at least 20 % of the tokens of a batch are padding. "
    "batchscope measures the size again with every sample at the mean length, the limit of perfect "
    "bucketing. It measures a text pipeline again with all texts of the file sorted by length.",
    "Sort or bucket the samples by length, or limit the tokens of a batch.", kCauseSeverity,
    metrics(&kPaddingShare, &findings::metric::kTimeSaved));

constexpr std::array kInputRules = {
    CauseRule{kPadding, "padding takes a large share of the computation", DiagnosisPart::padding,
              Where::any, padding, with_equal_lengths,
              "with every sample at the mean length (no padding, the limit of sorting)",
              "sort or bucket the samples by length, or form batches by a token budget"},
    CauseRule{kPadding, "padding takes a large share of the computation", DiagnosisPart::padding,
              Where::any, padding_of_texts, with_sorted_texts, "with the texts sorted by length",
              "sort or bucket the texts by length, or form batches by a token budget"}};

}  // namespace

std::span<const CauseRule> input_rules() {
  return kInputRules;
}

}  // namespace batchscope::causes
