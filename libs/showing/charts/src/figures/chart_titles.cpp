#include "batchscope/charts/chart_titles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "batchscope/base/units.hpp"
#include "batchscope/charts/fitted_law.hpp"
#include "batchscope/charts/outliers.hpp"
#include "batchscope/charts/phases_to_draw.hpp"
#include "batchscope/charts/residuals.hpp"
#include "batchscope/charts/series.hpp"
#include "batchscope/findings/numbers.hpp"
#include "batchscope/findings/wording.hpp"

namespace batchscope::charts {
namespace {

using findings::ConfigRow;
using findings::Estimate;
using findings::fixed;
using findings::Group;
using findings::percent;
using findings::Summary;

struct Found {
  OutlierSize outlier;
  std::string series;  // which of several; empty: the only one
};

// The one furthest off: slow ones first, since they cost something.
std::optional<Found> most_notable(const Summary& summary) {
  const SeriesNames names = series_names(summary.groups);
  std::optional<Found> best;
  for (std::size_t g = 0; g < summary.groups.size(); ++g) {
    for (const OutlierSize& each : outliers(summary, summary.groups[g])) {
      if (best && best->outlier.excess.value >= each.excess.value) continue;
      best = Found{each, summary.groups.size() > 1 ? names.own[g] : ""};
    }
  }
  return best;
}

// Both have intervals, and these keep apart.
bool are_apart(const Estimate& a, const Estimate& b) {
  return a.ci && b.ci && (a.ci->high < b.ci->low || b.ci->high < a.ci->low);
}

// From the smallest size to the one that is furthest from it, where the two are shown to differ.
std::string change_title(const Group& group) {
  const ConfigRow& first = group.rows.front();
  const auto off = [&](const ConfigRow& row) {
    return std::abs(std::log(row.per_sample_ms.value / first.per_sample_ms.value));
  };
  const ConfigRow& far =
      *std::max_element(group.rows.begin(), group.rows.end(),
                        [&](const ConfigRow& a, const ConfigRow& b) { return off(a) < off(b); });
  if (!first.per_sample_ms.ci || !far.per_sample_ms.ci) return "Time per sample, untested";
  if (!are_apart(far.per_sample_ms, first.per_sample_ms)) {
    return "Time per sample: no significant difference";
  }
  const double ratio = far.per_sample_ms.value / first.per_sample_ms.value;
  return fmt::format("A sample takes {} at batch {} than at batch {}",
                     findings::change_of_time(ratio), far.config.shape.batch_size,
                     first.config.shape.batch_size);
}

// The table that titles speak of, where it is the only one.
const Group* only_table(const Summary& summary) {
  const bool alone = summary.groups.size() == 1 && summary.groups.front().rows.size() > 1;
  return alone ? &summary.groups.front() : nullptr;
}

// The row with the largest of those ratios that are shown to be over one; null: none is.
const ConfigRow* most_over_one(const Group& group, std::optional<Estimate> ConfigRow::*ratio) {
  const ConfigRow* most = nullptr;
  for (const ConfigRow& row : group.rows) {
    const std::optional<Estimate>& each = row.*ratio;
    if (!each || !each->ci || each->ci->low <= 1) continue;
    if (most == nullptr || each->value > (most->*ratio)->value) most = &row;
  }
  return most;
}

// With the whole of its interval.
bool is_within_tolerance(const Estimate& beyond) {
  return beyond.ci && beyond.ci->low >= -kTolerance && beyond.ci->high <= kTolerance;
}

}  // namespace

std::string time_title(const Summary& summary) {
  if (const auto found = most_notable(summary)) {
    const OutlierSize& each = found->outlier;
    return fmt::format(
        "{}Batch {} takes {} {} {}", found->series.empty() ? "" : found->series + ": ", each.size,
        digits_percent(each.excess), each.is_slow() ? "longer" : "less time", each.than);
  }
  const std::vector<Group>& groups = summary.groups;
  if (groups.size() != 1 || groups.front().rows.size() < 2) return "Time per sample";
  if (!names_a_setting(summary)) return "Time per sample: no significant difference";
  return change_title(groups.front());
}

std::string throughput_title(const Summary& summary) {
  const Group* const table = only_table(summary);
  if (table == nullptr) return "";
  if (!names_a_setting(summary)) return "Throughput: no significant difference";
  const ConfigRow& first = table->rows.front();
  for (const ConfigRow& row : table->rows) {
    const double ratio = row.throughput_per_s.value / first.throughput_per_s.value;
    if (!is_answer(summary, row) || &row == &first || !(ratio > 1)) continue;
    return fmt::format("Batch {} gives {} samples/s, {} {} batch {}", row.config.shape.batch_size,
                       findings::three_digits(row.throughput_per_s.value),
                       findings::more_or_less(ratio - 1), ratio >= 2 ? "as" : "than",
                       first.config.shape.batch_size);
  }
  return "";
}

std::string efficiency_title(const Summary& summary) {
  const Group* const table = only_table(summary);
  if (table == nullptr) return "";
  if (!names_a_setting(summary)) return "Efficiency: no significant difference";
  const ConfigRow* const best = most_over_one(*table, &ConfigRow::efficiency);
  if (best == nullptr) {
    return fmt::format("No size is significantly faster than linear scaling from batch {}",
                       table->base_batch_size);
  }
  return fmt::format("Batch {} takes {} less time than linear scaling from batch {}",
                     best->config.shape.batch_size, percent(1 - 1 / best->efficiency->value),
                     table->base_batch_size);
}

std::string slowdown_title(const Summary& summary) {
  const Group* const table = only_table(summary);
  if (table == nullptr) return "";
  if (!names_a_setting(summary)) return "Slowdown per sample: no significant difference";
  const ConfigRow* const worst = most_over_one(*table, &ConfigRow::relative_slowdown);
  if (worst == nullptr) {
    return fmt::format("No size is significantly slower per sample than batch {}",
                       table->base_batch_size);
  }
  return fmt::format("A sample takes {} longer at batch {} than at batch {}",
                     percent(worst->relative_slowdown->value - 1), worst->config.shape.batch_size,
                     table->base_batch_size);
}

std::string iteration_title(const Summary& summary) {
  const Group* const table = only_table(summary);
  if (table == nullptr) return "";
  const ConfigRow& first = table->rows.front();
  const ConfigRow& last = table->rows.back();
  return fmt::format("An iteration takes {} at batch {}, {} at batch {}",
                     findings::milliseconds(first.time_ms.value), first.config.shape.batch_size,
                     findings::milliseconds(last.time_ms.value), last.config.shape.batch_size);
}

std::string residual_title(const Summary& summary) {
  const Residual* worst = nullptr;
  bool all_within = true;
  const std::vector<ResidualSeries> all = residuals(summary);
  for (const ResidualSeries& series : all) {
    for (const Residual& each : series.points) {
      all_within &= is_within_tolerance(each.beyond);
      if (!each.outlier) continue;
      const double off = std::abs(each.beyond.value);
      if (worst == nullptr || off > std::abs(worst->beyond.value)) worst = &each;
    }
  }
  if (all.empty()) return "Difference from the fitted law";
  if (worst != nullptr) {
    return fmt::format("Batch {} is {} {} the fitted law", worst->row->config.shape.batch_size,
                       digits_percent(worst->beyond), worst->beyond.value > 0 ? "above" : "below");
  }
  if (all_within) {
    return fmt::format("Every size is within {} of the fitted law", percent(kTolerance));
  }
  return "No size differs significantly from the fitted law";
}

std::string memory_title(const std::vector<Group>& groups) {
  if (groups.size() != 1 || groups.front().memory_laws.empty()) return "Peak memory";
  const findings::MemoryLaw& law = groups.front().memory_laws.front();
  if (!(law.per_sample_bytes >= 1)) return "Peak memory does not grow with the batch";
  const std::string each = base::format_bytes(static_cast<int64_t>(law.per_sample_bytes));
  const std::string title = fmt::format("Peak memory grows by {} per sample", each);
  if (!law.largest_batch_size || !law.limit_bytes) return title;
  return fmt::format("{}; about {} fit into {}", title, *law.largest_batch_size,
                     base::format_bytes(*law.limit_bytes));
}

std::string breakdown_title(const std::vector<Group>& groups,
                            const std::vector<std::string>& phases) {
  std::string largest;
  double low = 0, high = 0;
  for (const std::string& phase : phases) {
    double least = 1, most = 0;
    for (const Group& group : groups) {
      for (const ConfigRow& row : group.rows) {
        if (row.phases.empty()) continue;
        const findings::PhaseShare* const found = find_phase(row, phase);
        const double share = found == nullptr ? 0 : std::max(0.0, found->share);
        least = std::min(least, share);
        most = std::max(most, share);
      }
    }
    if (most <= high) continue;
    largest = phase;
    low = least;
    high = most;
  }
  const std::string from = fixed(100 * low, 0), to = fixed(100 * high, 0);
  return fmt::format("{} takes {}{} % of an iteration", largest, from == to ? "" : from + " to ",
                     to);
}

std::string answer_title(const Summary& summary) {
  if (!names_a_setting(summary)) {
    return "Throughput against latency: no significant difference";
  }
  for (const Group& group : summary.groups) {
    for (const ConfigRow& row : group.rows) {
      if (!is_answer(summary, row)) continue;
      return fmt::format("Batch {} gives {} samples/s at {} per batch", row.config.shape.batch_size,
                         findings::three_digits(row.throughput_per_s.value),
                         findings::milliseconds(row.time_ms.value));
    }
  }
  return "Throughput against latency";
}

std::string tuning_title(const findings::Tuning& tuning, const char* beside) {
  if (!tuning.pick || tuning.undecided) return fmt::format("Throughput against {}", beside);
  const findings::TunedPoint pick = reported_pick(tuning);
  const bool of_memory = std::string_view(beside) == "memory";
  // As the answer has it, unless another quantile is bounded.
  const bool typical = tuning.latency_of == schema::LatencyStatistic::p50;
  const double latency = typical ? pick.time_ms : pick.latency_ms;
  const std::string price = of_memory && pick.memory_bytes
                                ? "in " + base::format_bytes(*pick.memory_bytes)
                                : "at " + findings::milliseconds(latency);
  return fmt::format("Throughput against {}: {} samples/s {} {}", beside,
                     findings::three_digits(pick.throughput_per_s), price,
                     !tuning.feasible                 ? "come nearest to the bounds"
                     : tuning.pick == tuning.standard ? "by default"
                                                      : "recommended");
}

}  // namespace batchscope::charts
