#include "dominance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace batchscope::tables {
namespace {

std::vector<double> times_of(const BlockTable& table) {
  std::vector<double> times;
  const std::vector<double> medians = block_normalised_medians(table);
  for (const double median : medians) times.push_back(std::exp(median - medians.front()));
  return times;
}

std::size_t index_of(const BlockTable& table, int64_t size) {
  return static_cast<std::size_t>(std::find(table.sizes.begin(), table.sizes.end(), size) -
                                  table.sizes.begin());
}

double log_excess(const BlockTable& table, const std::vector<double>& block, std::size_t size_index,
                  const Split& split) {
  double sum = 0;  // relative to the size's own time, so that no exponent overflows
  for (const int64_t part : split.parts) {
    sum += std::exp(block[index_of(table, part)] - block[size_index]);
  }
  return -std::log(sum);
}

stats::MeanEstimate estimate(const BlockTable& table, std::size_t size_index, const Split& split,
                             stats::Method method) {
  const std::vector<double> values = excess_over_split(table, size_index, split);
  if (const auto found = stats::estimate_mean(values, method)) return *found;
  return {values.front(), 0.0, 1.0, values.size(), method};
}

}  // namespace

std::vector<DominanceClaim> dominance_claims(const BlockTable& table,
                                             const DominanceOptions& options) {
  std::vector<DominanceClaim> claims;
  const BlockTable complete = complete_blocks(table);
  if (complete.blocks.empty() || complete.columns() < 2) return claims;
  const bool single = complete.blocks.size() < 2;
  const BlockTable chosen_on = single ? complete : odd_blocks(complete);
  const BlockTable tested_on = single ? complete : even_blocks(complete);
  const std::vector<double> times = times_of(chosen_on);
  const double tolerance = std::log1p(options.delta);
  for (std::size_t s = 0; s < complete.columns(); ++s) {
    auto split = cheapest_split(complete.sizes, times, complete.sizes[s]);
    if (!split || times[s] <= split->time * (1 + options.delta)) continue;
    const auto excess = estimate(tested_on, s, *split, options.method);
    claims.push_back({s, *std::move(split), excess, stats::p_greater(excess, tolerance),
                      complete.blocks.size()});
  }
  return claims;
}

double p_again(const DominanceClaim& claim, const BlockTable& table,
               const DominanceOptions& options) {
  const BlockTable complete = complete_blocks(table);
  const BlockTable tested_on = complete.blocks.size() < 2 ? complete : even_blocks(complete);
  const auto excess = estimate(tested_on, claim.size_index, claim.split, options.method);
  return stats::p_greater(excess, std::log1p(options.delta));
}

double p_of_all_blocks(const DominanceClaim& claim, const BlockTable& table,
                       const DominanceOptions& options) {
  const auto excess = stats::estimate_but_accidents(
      excess_over_split(complete_blocks(table), claim.size_index, claim.split));
  return excess ? stats::p_greater(*excess, std::log1p(options.delta)) : 1;
}

std::vector<double> excess_over_split(const BlockTable& table, std::size_t size_index,
                                      const Split& split) {
  std::vector<double> values;
  for (const auto& block : table.blocks) {
    const double value = log_excess(table, block, size_index, split);
    if (!is_missing(value)) values.push_back(value);
  }
  return values;
}

std::string describe(const Split& split) {
  constexpr std::ptrdiff_t kMostWritten = 3;
  std::vector<std::string> terms;
  for (auto part = split.parts.begin(); part != split.parts.end();) {
    const auto end = std::find_if(part, split.parts.end(), [&](int64_t p) { return p != *part; });
    const auto alike = end - part;
    if (alike > kMostWritten) {
      terms.push_back(fmt::format("{} x {}", alike, *part));
    } else {
      terms.insert(terms.end(), static_cast<std::size_t>(alike), std::to_string(*part));
    }
    part = end;
  }
  return fmt::format("{}", fmt::join(terms, " + "));
}

}  // namespace batchscope::tables
