#include "smooth_facts.hpp"

#include <algorithm>
#include <cmath>

#include "batchscope/tables/set_aside.hpp"
#include "batchscope/tables/throughput.hpp"
#include "batchscope/timing/evidence.hpp"
#include "claims/claim_findings.hpp"
#include "good_sizes.hpp"

namespace batchscope::tables {
namespace {

// Shown with spikes moved in and as it was measured: in a size of two modes the rarer one may have
// been taken for spikes.
bool is_worse(const GroupData& data, std::size_t best, std::size_t other, double alpha) {
  const timing::Unseen unseen = unseen_contrast(data, best, data, other);
  const auto shown = [&](const BlockTable& table) {
    const auto worse = stats::estimate_mean(per_sample_contrast(table, best, other), kCalmMethod);
    return !worse || stats::p_greater(*worse, unseen.shorter) < alpha;
  };
  return shown(data.calm_work) && shown(data.work);
}

// Subset selection (Gupta 1965): a size stays unless it is worse than the best at level alpha over
// the number of sizes it competes with. Then the truly best one stays with probability >= 1 -
// alpha.
std::vector<int64_t> best_sizes(const GroupData& data, const findings::Group& group,
                                const TestOptions& options) {
  std::vector<std::size_t> columns;
  for (std::size_t s = 0; s < group.rows.size(); ++s) {
    if (!is_set_aside(group.set_aside, data.table.sizes[s])) columns.push_back(s);
  }
  const auto best = best_column(data, columns, options.practical);
  const double alpha =
      (1 - options.level) / static_cast<double>(std::max<std::size_t>(2, columns.size()) - 1);
  std::vector<int64_t> sizes;
  for (const std::size_t s : columns) {
    if (s == *best || !is_worse(data, *best, s, alpha)) sizes.push_back(data.table.sizes[s]);
  }
  return sizes;
}

// From it on, and from a size above it to one at least twice as large: what little the first
// doublings bring must not hide that later ones bring more.
bool is_flat_from(const findings::Group& group, std::size_t s) {
  const auto size = [&](std::size_t i) { return group.rows[i].config.shape.batch_size; };
  for (std::size_t from = s; from + 1 < group.rows.size(); ++from) {
    for (std::size_t to = from + 1; to < group.rows.size(); ++to) {
      if (from > s && size(to) < 2 * size(from)) continue;
      if (gain_per_doubling(group.rows[from], group.rows[to]) >= kSaturationGain) return false;
    }
  }
  return true;
}

std::optional<int64_t> saturation(const findings::Group& group) {
  for (std::size_t s = 0; s + 1 < group.rows.size(); ++s) {
    if (is_flat_from(group, s)) return group.rows[s].config.shape.batch_size;
  }
  return std::nullopt;
}

}  // namespace

void fill_smooth_facts(const RunView& view, const GroupData& data, const GroupClaims& claims,
                       const TestOptions& options, findings::Group& group) {
  group.set_aside = set_aside(view, data);
  group.best_sizes = best_sizes(data, group, options);
  if (!group.best_sizes.empty()) group.knee = group.best_sizes.front();
  group.saturation = saturation(group);
  fill_good_sizes(view, data, claims, options, group);
  group.law = law_of(group, claims);
  group.suggested_controls = suggested_controls(claims);
  group.departure_verdict = departure_words(claims);
  if (claims.departure.n_blocks >= timing::kPairsToProve &&
      std::isfinite(claims.departure_to_be_proven)) {
    group.smallest_provable_excess = std::expm1(claims.departure_to_be_proven);
  }
}

}  // namespace batchscope::tables
