#include "chart_subjects.hpp"

namespace batchscope::report {
namespace {

using findings::ConfigRow;
using findings::Group;

std::optional<double> base_per_sample(const Group& group) {
  for (const ConfigRow& row : group.rows) {
    if (row.config.shape.batch_size == group.base_batch_size) return row.per_sample_ms.value;
  }
  return {};
}

std::optional<double> one(const ConfigRow&, const Group&) {
  return 1.0;
}

}  // namespace

std::vector<ChartSubject> chart_subjects() {
  const auto expected = [](const ConfigRow& row, const Group&) { return row.expected_ms; };
  const auto flat = [](const ConfigRow&, const Group& group) { return base_per_sample(group); };
  const auto rate = [](const ConfigRow&, const Group& group) -> std::optional<double> {
    const auto base = base_per_sample(group);
    return base && *base > 0 ? std::optional(1000 / *base) : std::nullopt;
  };
  return {{"forward_pass_time", "Time of one iteration", "time (ms)", "ms", Quantity::amount,
           [](const ConfigRow& row) { return std::optional(row.time_ms); }, expected},
          {"forward_pass_efficiency", "Efficiency: linear time / measured time, higher is better",
           "efficiency (ratio)", "", Quantity::ratio,
           [](const ConfigRow& row) { return row.efficiency; }, one},
          {"forward_time_per_sample", "Time per sample, lower is better", "time per sample (ms)",
           "ms", Quantity::amount,
           [](const ConfigRow& row) { return std::optional(row.per_sample_ms); }, flat},
          {"relative_slowdown", "Relative slowdown per sample, lower is better",
           "slowdown per sample (ratio)", "", Quantity::ratio,
           [](const ConfigRow& row) { return row.relative_slowdown; }, one},
          {"throughput", "Throughput, higher is better", "throughput (samples/s)", "samples/s",
           Quantity::amount,
           [](const ConfigRow& row) { return std::optional(row.throughput_per_s); }, rate}};
}

}  // namespace batchscope::report
