#include "chart_subjects.hpp"

#include <algorithm>

#include "batchscope/charts/chart_titles.hpp"
#include "batchscope/findings/numbers.hpp"

namespace batchscope::charts {
namespace {

using findings::ConfigRow;
using findings::Group;
using findings::Quantity;
using Known = std::optional<double>;

std::optional<double> base_per_sample(const Group& group) {
  for (const ConfigRow& row : group.rows) {
    if (row.config.shape.batch_size == group.base_batch_size) return row.per_sample_ms.value;
  }
  return {};
}

// Samples that run at once with a batch of so many.
double samples(double size, const Group& group) {
  return size * static_cast<double>(std::max<int64_t>(1, group.key.instances));
}

Known one(const ConfigRow&, const Group&) {
  return 1.0;
}

Known efficiency(double ms, double size, const Group& group) {
  const auto base = base_per_sample(group);
  return base ? Known(*base * samples(size, group) / ms) : std::nullopt;
}

Known slowdown(double ms, double size, const Group& group) {
  const auto value = efficiency(ms, size, group);
  return value && *value > 0 ? Known(1 / *value) : std::nullopt;
}

// Samples a second are of the mean iteration: a law of the typical one is not theirs.
Known throughput(double ms, double size, const Group& group) {
  if (std::any_of(group.rows.begin(), group.rows.end(), findings::mean_differs)) return {};
  return 1000 * samples(size, group) / ms;
}

}  // namespace

std::vector<ChartSubject> chart_subjects() {
  const auto expected = [](const ConfigRow& row, const Group&) { return row.expected_ms; };
  const auto flat = [](const ConfigRow&, const Group& group) { return base_per_sample(group); };
  const auto rate = [](const ConfigRow&, const Group& group) -> Known {
    const auto base = base_per_sample(group);
    return base && *base > 0 ? Known(1000 / *base) : std::nullopt;
  };
  const auto same = [](double ms, double, const Group&) { return Known(ms); };
  const auto each = [](double ms, double size, const Group& group) {
    return Known(ms / samples(size, group));
  };
  return {
      {"forward_time_per_sample", "Time per sample, lower is better", "time per sample",
       "time per sample (ms)", "ms", Quantity::amount,
       [](const ConfigRow& row) { return std::optional(row.per_sample_ms); }, flat, each,
       time_title},
      {"throughput", "Throughput, higher is better", "throughput", "throughput (samples/s)",
       "samples/s", Quantity::amount,
       [](const ConfigRow& row) { return std::optional(row.throughput_per_s); }, rate, throughput,
       throughput_title},
      {"forward_pass_efficiency", "Efficiency: linear time / measured time, higher is better",
       "efficiency", "efficiency (ratio)", "", Quantity::ratio,
       [](const ConfigRow& row) { return row.efficiency; }, one, efficiency, efficiency_title},
      {"relative_slowdown", "Relative slowdown per sample, lower is better", "slowdown",
       "slowdown per sample (ratio)", "", Quantity::ratio,
       [](const ConfigRow& row) { return row.relative_slowdown; }, one, slowdown, slowdown_title},
      {"forward_pass_time", "Time of one iteration", "time of an iteration", "time (ms)", "ms",
       Quantity::amount, [](const ConfigRow& row) { return std::optional(row.time_ms); }, expected,
       same, iteration_title}};
}

std::string title_of(const ChartSubject& subject, const findings::Summary& summary) {
  std::string headline = subject.headline(summary);
  return headline.empty() ? subject.title : headline;
}

}  // namespace batchscope::charts
