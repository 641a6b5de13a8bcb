#include "batchscope/tables/throughput.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "batchscope/schema/visit.hpp"
#include "batchscope/stats/descriptive.hpp"
#include "batchscope/timing/steady_visit.hpp"

namespace batchscope::tables {

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

timing::Unseen unseen_contrast(const GroupData& base_table, std::size_t base,
                               const GroupData& other_table, std::size_t other) {
  return timing::unseen_of_ratio(other_table.configs[other].unseen,
                                 base_table.configs[base].unseen);
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
  const std::vector<double> as_measured = relative(data.work),
                            winsorized = relative(data.calm_work);
  const double least = *std::min_element(as_measured.begin(), as_measured.end());
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!(as_measured[i] <= least + std::log1p(practical))) continue;
    if (!best || winsorized[i] < winsorized[*best]) best = i;
  }
  return columns[best.value_or(0)];
}

double gain_per_doubling(const findings::ConfigRow& from, const findings::ConfigRow& to) {
  const double doublings = std::log2(static_cast<double>(to.config.shape.batch_size) /
                                     static_cast<double>(from.config.shape.batch_size));
  return std::pow(to.throughput_per_s.value / from.throughput_per_s.value, 1 / doublings) - 1;
}

}  // namespace batchscope::tables
