#include "bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "batchscope/base/algorithms.hpp"
#include "batchscope/base/units.hpp"
#include "batchscope/schema/device_name.hpp"
#include "batchscope/tables/distribution.hpp"
#include "batchscope/tables/estimates.hpp"

namespace batchscope::analyze {
namespace {

using tables::kNsPerMs;
using tables::RunView;

constexpr double kMsPerS = 1e3;

bool limits_memory(const findings::ConfigRow& row, const Bounds& bounds) {
  return bounds.memory_bytes && (schema::is_cpu(row.config.device) || !bounds.host_only);
}

}  // namespace

std::optional<int64_t> memory_of(const findings::ConfigRow& row) {
  const auto& peak = schema::is_cpu(row.config.device) ? row.memory.peak_rss_bytes
                                                       : row.memory.peak_reserved_bytes;
  // An imported table states one figure, of what was allocated.
  return peak ? peak : row.memory.peak_allocated_bytes;
}

Bounds bounds_of(const RunView& view, const Options& options) {
  const schema::MeasurementPlan& plan = view.run->header.plan;
  Bounds bounds;
  bounds.view = &view;
  bounds.level = options.level;
  const auto budget_s = options.latency_budget_s ? options.latency_budget_s : plan.latency_budget_s;
  if (budget_s) bounds.latency_ms = *budget_s * kMsPerS;
  bounds.latency_of = options.latency_of.value_or(bounded_latency(view.run->header));
  bounds.host_only = !options.memory_limit_bytes;
  bounds.memory_bytes = bounds.host_only ? plan.memory_limit_bytes : options.memory_limit_bytes;
  return bounds;
}

double latest_ms(const findings::ConfigRow& row, const Bounds& bounds) {
  const bool typical = bounds.of_typical();
  if (typical && row.time_ms.ci) return row.time_ms.ci->high;
  const auto* const measured =
      bounds.view == nullptr ? nullptr : find_config(*bounds.view, row.config);
  const auto latency = measured == nullptr
                           ? std::nullopt
                           : tables::latency_of(*measured, bounds.latency_of, bounds.level,
                                                stats::Method::student_t);
  if (!latency) return typical ? row.time_ms.value : std::numeric_limits<double>::infinity();
  return latency->ci ? latency->ci->high : latency->value;
}

std::optional<findings::LeftOutReason> why_left_out(const findings::ConfigRow& row,
                                                    const Bounds& bounds) {
  const double latest = bounds.latency_ms ? latest_ms(row, bounds) : 0;
  if (std::isinf(latest)) return findings::LeftOutReason::latency_unknown;
  if (latest > bounds.latency_ms.value_or(0)) return findings::LeftOutReason::latency;
  if (!limits_memory(row, bounds)) return std::nullopt;
  const auto memory = memory_of(row);
  if (!memory) return findings::LeftOutReason::memory_unknown;
  if (*memory > *bounds.memory_bytes) return findings::LeftOutReason::memory;
  return std::nullopt;
}

double excess(const findings::ConfigRow& row, const Bounds& bounds) {
  double most = 0;
  if (bounds.latency_ms) most = latest_ms(row, bounds) / *bounds.latency_ms;
  if (!limits_memory(row, bounds)) return most;
  const auto memory = memory_of(row);
  if (!memory) return std::numeric_limits<double>::infinity();
  return std::max(most, static_cast<double>(*memory) / static_cast<double>(*bounds.memory_bytes));
}

std::string statistic_words(const Bounds& bounds) {
  if (bounds.of_typical()) return "";
  return fmt::format("{} ", to_string(bounds.latency_of));
}

std::string describe(const Bounds& bounds) {
  std::string text;
  if (bounds.latency_ms) {
    const auto ns = static_cast<int64_t>(*bounds.latency_ms * kNsPerMs);
    const bool typical = bounds.of_typical();
    text = fmt::format("latency{} <= {}",
                       typical ? "" : fmt::format(" ({})", to_string(bounds.latency_of)),
                       base::format_duration(base::Nanoseconds(ns)));
  }
  if (bounds.memory_bytes) {
    text += fmt::format("{}memory <= {}", text.empty() ? "" : " and ",
                        base::format_bytes(*bounds.memory_bytes));
  }
  return text;
}

std::string objective(const Bounds& bounds) {
  return bounds.any() ? "throughput with " + describe(bounds) : "throughput";
}

}  // namespace batchscope::analyze
