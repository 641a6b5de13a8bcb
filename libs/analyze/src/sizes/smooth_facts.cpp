#include "smooth_facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "advice/growth.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/timing/evidence.hpp"
#include "claims/claim_findings.hpp"
#include "good_sizes.hpp"
#include "tables/scaling_table.hpp"
#include "tables/set_aside.hpp"

namespace batchscope::analyze {
namespace {

// Shown with spikes moved in and as it was measured: in a size of two modes the rarer one may have
// been taken for spikes.
bool is_worse(const GroupData& data, std::size_t best, std::size_t other, double alpha) {
  const auto shown = [&](const BlockTable& table) {
    const auto worse = stats::estimate_mean(per_sample_contrast(table, best, other), kCalmMethod);
    return !worse || stats::p_greater(*worse) < alpha;
  };
  return shown(data.calm_work) && shown(data.work);
}

// Subset selection (Gupta 1965): a size stays unless it is worse than the best at level alpha over
// the number of sizes it competes with. Then the truly best one stays with probability >= 1 -
// alpha.
std::vector<int64_t> best_sizes(const GroupData& data, const findings::Group& group,
                                const Options& options) {
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

std::optional<int64_t> saturation(const findings::Group& group) {
  for (std::size_t s = 0; s + 1 < group.rows.size(); ++s) {
    const bool flat =
        std::all_of(group.rows.begin() + static_cast<std::ptrdiff_t>(s) + 1, group.rows.end(),
                    [&](const findings::ConfigRow& larger) {
                      return gain_per_doubling(group.rows[s], larger) < kSaturationGain;
                    });
    if (flat) return group.rows[s].config.shape.batch_size;
  }
  return std::nullopt;
}

}  // namespace

std::vector<double> per_sample_contrast(const BlockTable& table, std::size_t base,
                                        std::size_t other) {
  std::vector<double> logs = paired_contrast(table, base, other);
  const double size_ratio =
      std::log(static_cast<double>(table.sizes[other]) / static_cast<double>(table.sizes[base]));
  for (double& value : logs) value -= size_ratio;
  return logs;
}

std::vector<double> per_sample_contrast(const GroupData& base_table, std::size_t base,
                                        const GroupData& other_table, std::size_t other) {
  const auto in_blocks = [](const ConfigData& config) {
    std::map<int, double> logs;
    for (const UsableVisit& visit : config.visits) {
      logs[visit.visit->block] =
          std::log(timing::mean_ns(visit) / static_cast<double>(samples_at_once(config.config)));
    }
    return logs;
  };
  const auto of_base = in_blocks(base_table.configs[base]);
  std::vector<double> logs;
  for (const auto& [block, value] : in_blocks(other_table.configs[other])) {
    const auto found = of_base.find(block);
    if (found != of_base.end()) logs.push_back(value - found->second);
  }
  return logs;
}

std::optional<std::size_t> best_column(const GroupData& data, std::span<const std::size_t> columns,
                                       double practical) {
  if (columns.empty()) return std::nullopt;
  const auto relative = [&](const BlockTable& table) {
    std::vector<double> times;
    for (const std::size_t s : columns) {
      const std::vector<double> logs = per_sample_contrast(table, columns.front(), s);
      times.push_back(logs.empty() ? std::numeric_limits<double>::infinity() : stats::mean(logs));
    }
    return times;
  };
  const std::vector<double> as_measured = relative(data.work), calm = relative(data.calm_work);
  const double least = *std::min_element(as_measured.begin(), as_measured.end());
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!(as_measured[i] <= least + std::log1p(practical))) continue;
    if (!best || calm[i] < calm[*best]) best = i;
  }
  return columns[best.value_or(0)];
}

void fill_smooth_facts(const RunView& view, const GroupData& data, const GroupClaims& claims,
                       const Options& options, findings::Group& group) {
  group.set_aside = set_aside(view, data);
  group.best_sizes = best_sizes(data, group, options);
  if (!group.best_sizes.empty()) group.knee = group.best_sizes.front();
  group.saturation = saturation(group);
  fill_good_sizes(view, data, claims, options, group);
  group.law = law_of(group, claims);
  group.suggested_controls = suggested_controls(claims);
  group.departure_verdict = departure_words(claims);
  if (claims.departure.n_blocks >= timing::kPairsToProve &&
      std::isfinite(claims.departure.resolution)) {
    group.smallest_provable_excess = std::expm1(claims.departure.resolution);
  }
}

}  // namespace batchscope::analyze
