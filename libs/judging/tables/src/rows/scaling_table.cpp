#include "batchscope/tables/scaling_table.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "batchscope/findings/wording.hpp"
#include "batchscope/tables/distribution.hpp"
#include "batchscope/tables/estimates.hpp"
#include "batchscope/timing/evidence.hpp"
#include "batchscope/timing/visits.hpp"
#include "iteration_facts.hpp"

namespace batchscope::tables {
namespace {

using findings::label;

// The mean of repeats that an imported table states with their spread and number (at least 2):
// se = std / sqrt(repeats) with repeats - 1 degrees of freedom, in ns. Repeats within one process
// are not independent, so that it describes and proves nothing. Absent for other configurations,
// and for those that the table repeats: their rows tell more.
std::optional<stats::MeanEstimate> reported_mean(const ConfigData& config) {
  if (config.visits.size() != 1) return std::nullopt;
  const schema::Visit& visit = *config.visits.front().visit;
  const int64_t repeats = visit.reported_repeats.value_or(0);
  if (!visit.reported_std_ns || repeats < 2) return std::nullopt;
  const auto n = static_cast<double>(repeats);
  stats::MeanEstimate mean;
  mean.value = timing::typical_ns(config.visits.front());
  mean.se = static_cast<double>(*visit.reported_std_ns) / std::sqrt(n);
  mean.df = n - 1;
  mean.n = static_cast<std::size_t>(repeats);
  mean.method = stats::Method::student_t;
  return mean;
}

// ln(time of `other` / time of `base`), both reported: se and degrees of freedom by Welch (1947) on
// relative errors, which ln turns into absolute ones while they are small.
std::optional<stats::MeanEstimate> reported_contrast(const ConfigData& base,
                                                     const ConfigData& other) {
  const auto a = reported_mean(base), b = reported_mean(other);
  if (!a || !b) return std::nullopt;
  const double of_a = std::pow(a->se / a->value, 2), of_b = std::pow(b->se / b->value, 2);
  stats::MeanEstimate contrast;
  contrast.value = std::log(b->value / a->value);
  contrast.se = std::sqrt(of_a + of_b);
  const double weighted = of_a * of_a / a->df + of_b * of_b / b->df;
  contrast.df = weighted > 0 ? std::pow(of_a + of_b, 2) / weighted : a->df + b->df;
  contrast.n = a->n + b->n;
  contrast.method = stats::Method::student_t;
  return contrast;
}

constexpr stats::Method kTableMethod = stats::Method::student_t;
constexpr double kMsPerS = 1e3;
constexpr double kLeastMs = 1e-6;  // a nanosecond

// Of ln ns; where there are too few visits, without an interval.
findings::Estimate time_of(std::span<const double> logs, double level) {
  const timing::TimeOverVisits over = timing::milliseconds_over_visits(logs, level);
  return {over.value, over.interval};
}

// exp of the contrast within blocks, times `factor`; absent where no block holds both.
std::optional<findings::Estimate> contrast(const GroupData& data, std::size_t base,
                                           std::size_t other, double factor,
                                           const TestOptions& options) {
  const std::vector<double> logs = paired_contrast(data.table, base, other);
  if (logs.empty()) return std::nullopt;
  if (base == other) return findings::Estimate{factor, std::nullopt};
  if (const auto reported = reported_contrast(data.configs[base], data.configs[other])) {
    const stats::Interval interval = stats::two_sided_interval(*reported, options.level);
    return scaled({std::exp(reported->value),
                   stats::Interval{std::exp(interval.low), std::exp(interval.high)}},
                  factor);
  }
  findings::Estimate made = exp_estimate(logs, options.level, kTableMethod);
  if (logs.size() < timing::kVisitsForInterval) made.ci.reset();
  return scaled(made, factor);
}

double ratio_of_sizes(const GroupData& data, std::size_t base, std::size_t other) {
  return static_cast<double>(data.table.sizes[other]) / static_cast<double>(data.table.sizes[base]);
}

void fill_times(const GroupData& data, std::size_t s, const TestOptions& options,
                findings::ConfigRow& row) {
  const auto batch = static_cast<double>(schema::samples_at_once(row.config));
  const std::vector<double> logs = column(data.table, s);
  row.time_ms = time_of(logs, options.level);
  // A single number is given back as it came, not as exp(ln).
  if (logs.size() == 1)
    row.time_ms.value = timing::typical_ns(data.configs[s].visits.front()) / kNsPerMs;
  if (const auto reported = reported_mean(data.configs[s])) {
    const stats::Interval interval = stats::two_sided_interval(*reported, options.level);
    // A spread as large as the time itself leaves the low end open; no time is below 0.
    row.time_ms.ci =
        stats::Interval{std::max(interval.low / kNsPerMs, kLeastMs), interval.high / kNsPerMs};
  }
  row.per_sample_ms = scaled(row.time_ms, 1 / batch);
  row.mean_ms = allowing_for(data.configs[s].unseen, time_of(column(data.work, s), options.level));
  if (logs.size() == 1)
    row.mean_ms.value = timing::mean_ns(data.configs[s].visits.front()) / kNsPerMs;
  // The one number of an imported table is its mean as well.
  if (logs.size() == 1) row.mean_ms.ci = row.time_ms.ci;
  row.throughput_per_s = inverted(row.mean_ms, batch * kMsPerS);
  row.batches_per_s = std::max(row.config.instances, 1) * kMsPerS / row.mean_ms.value;
}

// slowdown = t(b)/b / (t(base)/base); efficiency is its inverse, so that the two never disagree.
void fill_scaling(const GroupData& data, std::size_t s, double base_ms, const TestOptions& options,
                  findings::ConfigRow& row) {
  const double sizes = ratio_of_sizes(data, kBaseColumn, s);
  row.expected_ms = base_ms * sizes;
  row.relative_slowdown = contrast(data, kBaseColumn, s, 1 / sizes, options);
  if (s == kBaseColumn) row.relative_slowdown = findings::Estimate{1.0, std::nullopt};
  if (row.relative_slowdown) row.efficiency = inverted(*row.relative_slowdown, 1.0);
  if (s > 0) row.jump = contrast(data, s - 1, s, 1 / ratio_of_sizes(data, s - 1, s), options);
}

findings::ConfigRow make_row(const GroupData& data, std::size_t s, const TestOptions& options) {
  const ConfigData& config = data.configs[s];
  findings::ConfigRow row;
  row.config = config.config;
  row.config_index = config.config_index;
  row.purpose = config.purpose;
  fill_times(data, s, options, row);
  fill_iteration_facts(config, row);
  row.distribution = distribution_of(config);
  return row;
}

}  // namespace

findings::Group scaling_table(const GroupData& data, const TestOptions& options) {
  findings::Group group;
  group.key = data.key;
  group.label = label(data.key);
  group.base_batch_size = data.table.sizes[kBaseColumn];
  group.level = options.level;
  for (std::size_t s = 0; s < data.configs.size(); ++s) {
    group.rows.push_back(make_row(data, s, options));
    fill_scaling(data, s, group.rows.front().time_ms.value, options, group.rows.back());
  }
  return group;
}

std::optional<double> widest_contrast(const GroupData& data, const TestOptions& options) {
  std::optional<double> widest;
  const bool alone = data.configs.size() == 1;
  for (std::size_t s = alone ? 0 : 1; s < data.configs.size(); ++s) {
    const auto logs = alone ? column(data.table, s) : paired_contrast(data.table, kBaseColumn, s);
    const auto estimate = stats::estimate_mean(logs, kTableMethod);
    if (!estimate) continue;
    const double half = stats::two_sided_interval(*estimate, options.level).half_width();
    if (!widest || half > *widest) widest = half;
  }
  return widest;
}

}  // namespace batchscope::tables
