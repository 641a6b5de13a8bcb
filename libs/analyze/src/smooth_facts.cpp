#include "smooth_facts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "claim_findings.hpp"
#include "scaling_table.hpp"

namespace batchscope::analyze {
namespace {

// Less than this much more throughput for twice the batch is not worth the wait.
constexpr double kSaturationGain = 0.05;

// Subset selection (Gupta 1965): a size stays unless it is worse than the best at level alpha over
// the number of sizes it competes with. Then the truly best one stays with probability >= 1 -
// alpha.
std::vector<int64_t> best_sizes(const GroupData& data, const schema::Group& group,
                                const Options& options) {
  const std::size_t best = best_column(data);
  const double alpha =
      (1 - options.level) / static_cast<double>(std::max<std::size_t>(1, group.rows.size() - 1));
  std::vector<int64_t> sizes;
  for (std::size_t s = 0; s < group.rows.size(); ++s) {
    const auto worse = stats::estimate_mean(per_sample_contrast(data.calm, best, s), kCalmMethod);
    const bool stays = s == best || (worse && stats::p_greater(*worse) >= alpha);
    if (stays) sizes.push_back(data.table.sizes[s]);
  }
  return sizes;
}

double gain_per_doubling(const schema::ConfigRow& from, const schema::ConfigRow& to) {
  const double doublings = std::log2(static_cast<double>(to.config.shape.batch_size) /
                                     static_cast<double>(from.config.shape.batch_size));
  return std::pow(to.throughput_per_s.value / from.throughput_per_s.value, 1 / doublings) - 1;
}

std::optional<int64_t> saturation(const schema::Group& group) {
  for (std::size_t s = 0; s + 1 < group.rows.size(); ++s) {
    const bool flat =
        std::all_of(group.rows.begin() + static_cast<std::ptrdiff_t>(s) + 1, group.rows.end(),
                    [&](const schema::ConfigRow& larger) {
                      return gain_per_doubling(group.rows[s], larger) < kSaturationGain;
                    });
    if (flat) return group.rows[s].config.shape.batch_size;
  }
  return std::nullopt;
}

std::vector<int64_t> good_sizes(const schema::Group& group, const GroupClaims& claims) {
  std::vector<int64_t> sizes;
  for (const schema::ConfigRow& row : group.rows) {
    const int64_t size = row.config.shape.batch_size;
    const bool dominated = std::any_of(
        claims.dominance.begin(), claims.dominance.end(), [&](const TestedDominance& tested) {
          return tested.proven && claims.dominance_sizes[tested.claim.size_index] == size;
        });
    if (!dominated) sizes.push_back(size);
  }
  return sizes;
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
          std::log(timing::typical_ns(visit) / static_cast<double>(samples_at_once(config.config)));
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

std::optional<std::size_t> best_column(const GroupData& data,
                                       std::span<const std::size_t> columns) {
  std::optional<std::size_t> best;
  double least = 0;
  for (const std::size_t s : columns) {
    const std::vector<double> logs = per_sample_contrast(data.calm, kBaseColumn, s);
    if (logs.empty()) continue;
    const auto estimate = stats::estimate_mean(logs, kCalmMethod);
    const double relative = s == kBaseColumn ? 0 : estimate ? estimate->value : logs.front();
    if (best && relative >= least) continue;
    least = relative;
    best = s;
  }
  return best || columns.empty() ? best : columns.front();
}

std::size_t best_column(const GroupData& data) {
  std::vector<std::size_t> all(data.configs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return best_column(data, all).value_or(kBaseColumn);
}

void fill_smooth_facts(const GroupData& data, const GroupClaims& claims, const Options& options,
                       schema::Group& group) {
  group.best_sizes = best_sizes(data, group, options);
  group.knee = group.best_sizes.front();
  group.saturation = saturation(group);
  group.good_sizes = good_sizes(group, claims);
  group.law = law_of(group, claims);
  group.suggested_controls = suggested_controls(claims);
  group.departure_verdict = departure_words(claims);
  if (claims.departure.n_blocks >= kBlocksForClaims && std::isfinite(claims.departure.resolution)) {
    group.smallest_provable_excess = std::expm1(claims.departure.resolution);
  }
}

}  // namespace batchscope::analyze
